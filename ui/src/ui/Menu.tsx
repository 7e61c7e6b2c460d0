// A menu behind a button. What the person may not do stays in it, with the reason.
import type { ReactNode } from 'react'
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { Text } from 'react-aria-components/Text'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'
import { Key } from './Key'
import styles from './Menu.module.css'

export interface Act {
  id: string
  text: string
  icon?: IconName
  keys?: string
  disabled?: string
  href?: string
  run?: () => void
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode
  acts: readonly (Act | 'line')[]
  label: string
  open?: boolean
  onOpen?: (open: boolean) => void
  byKeys?: boolean
}

export function Menu({ trigger, acts, label, open, onOpen, byKeys }: MenuProps) {
  const disabled = acts.flatMap((act) => (act !== 'line' && act.disabled ? [act.id] : []))
  return (
    <MenuTrigger isOpen={open} onOpenChange={onOpen}>
      {trigger}
      <Popover className={styles.popover ?? ''} placement="bottom end">
        <AriaMenu
          className={styles.menu ?? ''}
          aria-label={label}
          disabledKeys={disabled}
          {...(byKeys ? { autoFocus: 'first' as const } : {})}
        >
          {acts.map((act, at) =>
            act === 'line' ? (
              <Separator key={`line-${at}`} />
            ) : (
              <MenuItem
                key={act.id}
                id={act.id}
                textValue={act.text}
                onAction={act.run}
                href={act.href}
              >
                {act.icon ? <Icon name={act.icon} /> : null}
                {/* The reason is part of the name: what is seen is what is read. */}
                <Text slot="label" className={cx('grow', styles.words)}>
                  {act.text}
                  {act.disabled ? <span className="xs muted"> {act.disabled}</span> : null}
                </Text>
                {act.keys ? <Key combo={act.keys} /> : null}
              </MenuItem>
            ),
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
