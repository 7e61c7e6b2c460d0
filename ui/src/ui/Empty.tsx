// Nothing here: what is not there, what makes it come, at most one act.
import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon'
import styles from './States.module.css'

interface Props {
  icon: IconName
  title: string
  text?: string
  children?: ReactNode
}

export function Empty({ icon, title, text, children }: Props) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} />
      <p className="strong">{title}</p>
      {text ? <p>{text}</p> : null}
      {children}
    </div>
  )
}
