// A pill that is on or off; on, it is inverse and says in full what is so.
import type { ReactNode } from 'react'
import { ToggleButton as AriaToggleButton } from 'react-aria-components/ToggleButton'
import { Icon, type IconName } from './Icon'
import styles from './ToggleButton.module.css'

interface Props {
  icon?: IconName
  on: boolean
  onChange: (on: boolean) => void
  /** Shows that a press takes it away. */
  removable?: boolean
  children: ReactNode
}

export function ToggleButton({ icon, on, onChange, removable, children }: Props) {
  return (
    <AriaToggleButton className={styles.toggle ?? ''} isSelected={on} onChange={onChange}>
      {icon ? <Icon name={icon} /> : null}
      {children}
      {on && removable ? <Icon name="x" /> : null}
    </AriaToggleButton>
  )
}
