// One of fixed choices, by the browser's own element: letters find, also hundreds of entries.
import { useId } from 'react'
import { useText } from '#/i18n/text'
import styles from '#/ui/Field.module.css'

interface Props {
  id: string
  label: string
  error?: string
  mark?: 'needed'
  /** Without a label of its own in view. */
  bare?: boolean
  choices: readonly { value: string; text: string }[]
  value: string | undefined
  onChange: (value: string | undefined) => void
}

export function Choice({ id, label, error, mark, bare, choices, value, onChange }: Props) {
  const t = useText()
  const fault = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={bare ? 'vh' : undefined}>
        {label}
        {mark ? <span className={styles.req}> {t('shell.needed')}</span> : null}
      </label>
      <select
        id={id}
        className={styles.input}
        value={value ?? ''}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? fault : undefined}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        <option value="">{t('inventory.none')}</option>
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {one.text}
          </option>
        ))}
      </select>
      {error ? (
        <span id={fault} className={styles.err}>
          {error}
        </span>
      ) : null}
    </div>
  )
}
