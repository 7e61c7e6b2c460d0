// A check box with its word; the browser's own element, so every aid knows it.
import type { ReactNode } from 'react'
import styles from './Field.module.css'

interface Props {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}

export function Checkbox({ checked, onChange, children }: Props) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  )
}
