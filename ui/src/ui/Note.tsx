// A notice in the flow of the page: sign, first words in bold, a sentence, perhaps an act.
import type { ReactNode } from 'react'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'
import type { Kind } from './kinds'
import styles from './Note.module.css'

const ICONS: Partial<Record<Kind, IconName>> = {
  ok: 'check',
  fee: 'triangle-alert',
  blocked: 'octagon-x',
  question: 'circle-help',
}

interface Props {
  kind: Kind
  icon?: IconName
  /** Read aloud at once. */
  alert?: boolean
  bar?: boolean
  children: ReactNode
}

export function Note({ kind, icon = ICONS[kind] ?? 'info', alert, bar, children }: Props) {
  return (
    <div className={cx(styles.note, bar && styles.bar, kind)} role={alert ? 'alert' : undefined}>
      <Icon name={icon} />
      <div className="grow stack tight">{children}</div>
    </div>
  )
}
