// A list inside a record: each row a group of fields, added and taken away.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { shownOnly } from '#/settings/check'
import type { Field } from '#/settings/kinds'
import { type Values, withValue } from '#/settings/paths'
import { Button } from '#/ui/Button'
import { FieldList } from './FieldList'
import styles from './settings.module.css'

interface Props {
  field: Extract<Field, { type: 'rows' }>
  value: unknown
  /** The fields that lack something, by their paths. */
  faults: ReadonlySet<string>
  path: string
  onChange: (value: unknown) => void
}

export function Rows({ field, value, faults, path, onChange }: Props) {
  const t = useText()
  const { number } = useFormats()
  const rows = (Array.isArray(value) ? value : []) as readonly Values[]
  const set = (at: number, row: Values) =>
    onChange(rows.map((one, index) => (index === at ? shownOnly(field, row) : one)))
  const { add, next } = field
  if (!rows.length && !add) return null
  return (
    <fieldset className={styles.ranges}>
      <legend className="sm medium">{t(field.label)}</legend>
      {field.help ? <p className="sm soft">{t(field.help)}</p> : null}
      {rows.map((row, at) => (
        // Rows have no ids, and their order is theirs alone.
        <div
          key={at}
          className={styles.row}
          role="group"
          aria-label={t('set.rowOf', { name: t(field.label), number: number(at + 1) })}
        >
          <div className={styles.range}>
            <FieldList
              fields={field.fields}
              record={row}
              faults={faults}
              path={`${path}/${at}/`}
              onChange={(name, next) => set(at, withValue(row, name, next))}
            />
          </div>
          <Button
            kind="quiet"
            icon="trash-2"
            aria-label={t('set.removeRow', { name: t(field.label), number: number(at + 1) })}
            onPress={() => onChange(rows.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      {add ? (
        <div className="row">
          <Button small icon="plus" onPress={() => onChange([...rows, next?.(rows) ?? {}])}>
            {t(add)}
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}
