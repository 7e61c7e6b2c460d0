// Several texts, or several records of a list, one below the other.
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/TextField'
import { Choice } from './Choice'
import type { FieldProps } from './FormField'
import styles from './form.module.css'
import { Group } from './Group'
import { ListChoice } from './ListChoice'
import type { Spec } from './specs'

type Props = FieldProps & { spec: Extract<Spec, { kind: 'texts' | 'ids' }> }

export function Texts({ spec, id, value, onChange, locked }: Props) {
  const t = useText()
  const texts = Array.isArray(value) ? (value as (string | undefined)[]) : []
  const change = (at: number, text: string | undefined) =>
    onChange(texts.map((one, place) => (place === at ? text : one)))
  return (
    <Group
      label={spec.label}
      inner={id.includes('.')}
      locked={locked}
      onAdd={() => onChange([...texts, ''])}
    >
      {texts.map((text, at) => {
        const label = `${spec.label} ${at + 1}`
        return (
          <div key={`${id}.${String(at)}`} className={styles.line}>
            {spec.kind === 'ids' && spec.choices ? (
              <Choice
                bare
                id={`${id}.${at}`}
                label={label}
                choices={spec.choices}
                value={text}
                onChange={(next) => change(at, next ?? '')}
              />
            ) : spec.kind === 'ids' ? (
              <ListChoice
                bare
                id={`${id}.${at}`}
                label={label}
                list={spec.list}
                value={text}
                onChange={(next) => change(at, next ?? '')}
              />
            ) : (
              <TextField
                id={`${id}.${at}`}
                label={label}
                lines={spec.long}
                value={text ?? ''}
                onChange={(next) => change(at, next)}
                isReadOnly={Boolean(locked)}
              />
            )}
            {locked ? null : (
              <Button
                kind="quiet"
                icon="trash-2"
                aria-label={t('inventory.removeLine', { name: label })}
                onPress={() => onChange(texts.filter((_, place) => place !== at))}
              />
            )}
          </div>
        )
      })}
    </Group>
  )
}
