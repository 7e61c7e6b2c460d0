// The fields of a mapping profile: those that it fills, and a list of the others to add.
import { useState } from 'react'
import { useText } from '#/i18n/text'
import {
  does,
  isForeign,
  isOnlyMade,
  pathOf,
  propertiesOf,
  type Rule,
  ruleOf,
} from '#/settings/imports/rules'
import { Button } from '#/ui/Button'
import { Select } from '#/ui/Select'
import styles from '../settings.module.css'
import { Another } from './Another'
import { RuleView } from './RuleView'

interface Props {
  label: string
  /** What is made or changed: the kind of record. */
  type: unknown
  value: unknown
  faults: ReadonlySet<string>
  path: string
  onChange: (rules: readonly Rule[]) => void
}

export function Mapping({ label, type, value, faults, path, onChange }: Props) {
  const t = useText()
  const rules = (Array.isArray(value) ? value : []) as readonly Rule[]
  // What was emptied stays where it is until the form is left.
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(rules.filter(does).map((rule) => rule.path)),
  )
  const properties = propertiesOf(type)
  const propertyOf = (rule: Rule) => properties.find((one) => pathOf(type, one) === rule.path)
  const isShown = (rule: Rule) =>
    !isForeign(type, rule) && (does(rule) || open.has(rule.path) || propertyOf(rule)?.needed)
  const set = (at: number, rule: Rule) => {
    setOpen((now) => new Set([...now, rule.path]))
    onChange(rules.map((one, index) => (index === at ? rule : one)))
  }
  const add = (rule: Rule) => {
    setOpen((now) => new Set([...now, rule.path]))
    const at = rules.findIndex((one) => one.path === rule.path)
    onChange(
      at < 0
        ? [...rules, rule]
        : rules.map((one, index) => (index === at ? { ...one, ...rule } : one)),
    )
  }
  const takeAway = ({ path: gone }: Rule) => {
    setOpen((now) => new Set([...now].filter((one) => one !== gone)))
    onChange(rules.filter((one) => one.path !== gone))
  }
  const others = properties.filter(
    (one) => !rules.some((rule) => rule.path === pathOf(type, one) && isShown(rule)),
  )
  return (
    <fieldset className={styles.ranges}>
      <legend className="sm medium">{label}</legend>
      <p className="sm soft">
        {t(type === 'INVOICE' ? 'map.helpEdifact' : 'map.help', {
          today: '###TODAY###',
          remove: '###REMOVE###',
        })}
      </p>
      {rules.map((rule, at) => {
        if (!isShown(rule)) return null
        const property = propertyOf(rule)
        const name = property ? t(property.label) : rule.path
        return (
          <div key={`${at} ${rule.path}`} className={styles.row}>
            <RuleView
              label={name}
              property={property}
              rule={rule}
              onlyMade={isOnlyMade(type)}
              faults={faults}
              path={`${path}/${rule.path}`}
              onChange={(next) => set(at, next)}
            />
            {property?.needed ? null : (
              <Button
                small
                kind="quiet"
                icon="trash-2"
                aria-label={t('map.removeField', { name })}
                onPress={() => takeAway(rule)}
              />
            )}
          </div>
        )
      })}
      <div className={styles.range}>
        {others.length ? (
          <Select
            key={`${String(type)} ${others.length}`}
            label={t('set.mapping.add')}
            placeholder={t('rules.choose')}
            value={undefined}
            choices={others.map((one) => ({ value: one.name, text: t(one.label) }))}
            onChange={(name) => {
              const property = others.find((one) => one.name === name)
              if (property) add(ruleOf(property, pathOf(type, property)))
            }}
          />
        ) : null}
        <Another type={type} onAdd={add} />
      </div>
    </fieldset>
  )
}
