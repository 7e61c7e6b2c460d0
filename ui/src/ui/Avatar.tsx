// The initials of a person, or the picture; decoration beside the name.
import type { ReactNode } from 'react'
import styles from './Avatar.module.css'
import { cx } from './cx'

interface Props {
  text: ReactNode
  big?: boolean
  /** As large as a face needs to be known by. */
  face?: boolean
}

export function Avatar({ text, big, face }: Props) {
  return (
    <span className={cx(styles.avatar, big && styles.big, face && styles.face)} aria-hidden="true">
      {text}
    </span>
  )
}
