// One file from this computer, with what is wrong with it below.
import { useId } from 'react'
import styles from './Field.module.css'

interface Props {
  label: string
  help?: string
  error?: string
  accept?: string
  onChange: (file: File | undefined) => void
}

export function FileField({ label, help, error, accept, onChange }: Props) {
  const id = useId()
  const note = error ?? help
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.files?.[0])}
      />
      {note ? (
        <span id={`${id}-note`} className={error ? styles.err : styles.help}>
          {note}
        </span>
      ) : null}
    </div>
  )
}
