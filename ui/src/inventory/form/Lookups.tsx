// Several records that are looked up: each a chip, the field below adds another.
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useText } from '#/i18n/text'
import { Chip } from '#/ui/Chip'
import { cx } from '#/ui/cx'
import { Lookup } from '#/ui/Lookup'
import type { FieldProps } from './FormField'
import styles from './form.module.css'
import { nameQuery } from './LookupChoice'
import type { Spec } from './specs'

type Props = FieldProps & { spec: Extract<Spec, { kind: 'lookups' }> }

export function Lookups({ spec, id, value, onChange, faults }: Props) {
  const t = useText()
  const client = useQueryClient()
  const title = useId()
  const ids = Array.isArray(value) ? (value as string[]) : []
  const names = useQueries({ queries: ids.map((one) => nameQuery(spec.lookup, one)) })
  /** A field that is made anew after each choice is empty, and goes on where the person was. */
  const [turn, setTurn] = useState(0)
  return (
    <section className={cx(styles.group, styles.several)} aria-labelledby={title}>
      <p id={title} className="medium sm">
        {spec.label}
      </p>
      {ids.length ? (
        <div className="row wrap">
          {ids.map((one, at) => (
            <Chip
              key={one}
              text={names[at]?.data ?? one}
              onRemove={() => onChange(ids.filter((other) => other !== one))}
            />
          ))}
        </div>
      ) : null}
      <Lookup
        key={turn}
        id={id}
        label={t('inventory.addOf', { name: spec.label })}
        error={faults[id]}
        list={spec.lookup.list}
        search={spec.lookup.search}
        without={ids}
        value={undefined}
        autoFocus={turn > 0}
        onChange={(option) => {
          if (!option) return
          client.setQueryData(nameQuery(spec.lookup, option.id).queryKey, option.text)
          onChange(ids.includes(option.id) ? ids : [...ids, option.id])
          setTurn(turn + 1)
        }}
      />
    </section>
  )
}
