// A few words on a tint, with a sign.
import type { ReactNode } from 'react'
import styles from './Badge.module.css'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'
import type { Kind } from './kinds'

interface Props {
  kind?: Kind
  icon?: IconName
  push?: boolean
  children: ReactNode
}

export function Badge({ kind, icon, push, children }: Props) {
  return (
    <span className={cx(styles.badge, kind, push && 'push')}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </span>
  )
}

/** A state in words: icon and word, no ground. */
export function Outcome({ kind, icon, children }: Props) {
  return (
    <span className={cx(styles.state, kind)}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </span>
  )
}
