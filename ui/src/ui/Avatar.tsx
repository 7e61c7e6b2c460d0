// The initials of a person; decoration beside the name.
import type { ReactNode } from 'react'
import styles from './Avatar.module.css'
import { cx } from './cx'

export function Avatar({ text, big }: { text: ReactNode; big?: boolean }) {
  return (
    <span className={cx(styles.avatar, big && styles.big)} aria-hidden="true">
      {text}
    </span>
  )
}
