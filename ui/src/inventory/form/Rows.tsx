// Several records with fields of their own, one below the other.
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import { type FieldProps, FormField } from './FormField'
import styles from './form.module.css'
import { Group } from './Group'
import type { Spec, Values } from './specs'

type Props = FieldProps & { spec: Extract<Spec, { kind: 'rows' }> }

export function Rows({ spec, id, value, onChange, faults, locked }: Props) {
  const t = useText()
  const rows = Array.isArray(value) ? (value as Values[]) : []
  return (
    <Group
      label={spec.label}
      inner={id.includes('.')}
      locked={locked}
      onAdd={() => onChange([...rows, {}])}
    >
      {spec.offers?.length && !locked ? (
        <div className="row wrap">
          {spec.offers.map(({ text, row }) => (
            <Button
              key={text}
              small
              kind="quiet"
              icon="plus"
              aria-label={t('inventory.addOf', { name: text })}
              onPress={() => onChange([...rows, { ...row }])}
            >
              {text}
            </Button>
          ))}
        </div>
      ) : null}
      {rows.map((row, at) => (
        <fieldset key={`${id}.${String(at)}`} className={styles.line} disabled={Boolean(locked)}>
          <legend className="vh">{`${spec.label} ${at + 1}`}</legend>
          <div className={styles.cells}>
            {spec.fields.map((field) => (
              <FormField
                key={field.name}
                spec={field}
                id={`${id}.${at}.${field.name}`}
                value={row[field.name]}
                faults={faults}
                onChange={(next) =>
                  onChange(
                    rows.map((one, place) => (place === at ? { ...one, [field.name]: next } : one)),
                  )
                }
              />
            ))}
          </div>
          {locked ? null : (
            <Button
              kind="quiet"
              icon="trash-2"
              aria-label={t('inventory.removeLine', { name: `${spec.label} ${at + 1}` })}
              onPress={() => onChange(rows.filter((_, place) => place !== at))}
            />
          )}
        </fieldset>
      ))}
    </Group>
  )
}
