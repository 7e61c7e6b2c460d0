// A rule of a list: what becomes of what is there, and the rows that come.
import { useText } from '#/i18n/text'
import type { Property } from '#/settings/imports/properties/kinds'
import { does, lastOf, type Rule, type RuleRow, rowOf } from '#/settings/imports/rules'
import { Checkbox } from '#/ui/Checkbox'
import { Select } from '#/ui/Select'
import styles from '../settings.module.css'
import { Ordered } from './Ordered'
import { RuleView } from './RuleView'

interface Props {
  label: string
  property: Property | undefined
  rule: Rule
  onlyMade: boolean
  faults: ReadonlySet<string>
  path: string
  onChange: (rule: Rule) => void
}

const ACTIONS = [
  'EXTEND_EXISTING',
  'EXCHANGE_EXISTING',
  'DELETE_EXISTING',
  'DELETE_INCOMING',
] as const

export function RuleRows({ label, property, rule, onlyMade, faults, path, onChange }: Props) {
  const t = useText()
  const whole = property?.kind === 'rows' ? property.whole : undefined
  const isWhole = Boolean(whole && rule.value === whole.value)
  const rows = rule.subfields ?? []
  const only = property?.kind === 'rows' && property.only
  const setRows = (subfields: readonly RuleRow[]) => onChange({ ...rule, subfields })
  const deletes = !onlyMade && rule.repeatableFieldAction === 'DELETE_EXISTING'
  return (
    <fieldset className={styles.ranges}>
      <legend className="sm medium">{label}</legend>
      {onlyMade ? null : (
        <Select
          label={t('map.action', { name: label })}
          value={rule.repeatableFieldAction ?? 'EXTEND_EXISTING'}
          choices={ACTIONS.map((value) => ({ value, text: t(`map.action.${value}`) }))}
          onChange={(repeatableFieldAction) => onChange({ ...rule, repeatableFieldAction })}
        />
      )}
      {whole ? (
        <Checkbox
          checked={isWhole}
          onChange={(on) => onChange({ ...rule, value: on ? whole.value : '', subfields: [] })}
        >
          {t(whole.text)}
        </Checkbox>
      ) : null}
      {faults.has(path) ? (
        <p className="sm blocked" tabIndex={-1} data-lacking="">
          {t('map.needsRow')}
        </p>
      ) : null}
      {deletes || isWhole ? null : only ? (
        rows
          .slice(0, 1)
          .map((row) => (
            <Row
              key={row.path}
              {...{ property, row, faults }}
              path={`${path}/0`}
              onChange={(next) => setRows([next])}
            />
          ))
      ) : (
        <Ordered<RuleRow>
          name={label}
          items={rows}
          onChange={(next) => setRows(next.map((row, order) => ({ ...row, order })))}
          add={
            property && {
              text: t('map.addRow', { name: label }),
              item: () => rowOf(property, rule.path, rows.length),
            }
          }
        >
          {(row, at, set) => (
            <Row {...{ property, row, faults }} path={`${path}/${at}`} onChange={set} />
          )}
        </Ordered>
      )}
    </fieldset>
  )
}

interface RowProps {
  property: Property | undefined
  row: RuleRow
  faults: ReadonlySet<string>
  path: string
  onChange: (row: RuleRow) => void
}

function Row({ property, row, faults, path, onChange }: RowProps) {
  const t = useText()
  const inner = property?.kind === 'rows' ? property.fields : []
  return (
    <div className={styles.fields}>
      {row.fields.map((rule, at) => {
        const own = inner.find(({ name }) => lastOf(name) === lastOf(rule.path))
        const isText = !own && property && property.kind !== 'rows'
        // What FOLIO's own profiles list without filling it.
        if (!own && !isText && property && !does(rule)) return null
        return (
          <RuleView
            key={rule.path}
            inRow
            onlyMade
            label={own ? t(own.label) : isText ? t('map.value') : lastOf(rule.path)}
            property={own ?? (isText ? asValue(property) : undefined)}
            rule={rule}
            faults={faults}
            path={own ? `${path}/${own.name}` : `${path}/${rule.path}`}
            onChange={(next) =>
              onChange({
                ...row,
                fields: row.fields.map((one, index) => (index === at ? next : one)),
              })
            }
          />
        )
      })}
    </div>
  )
}

/** The single value in a row of a list of texts or ids. */
const asValue = (property: Property): Property =>
  property.kind === 'refs'
    ? { name: property.name, label: property.label, kind: 'ref', of: property.of }
    : { name: property.name, label: property.label, kind: 'text' }
