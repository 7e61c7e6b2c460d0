// A button. Disabled ones stay in the tab order and say why: nothing is hidden from those who may not.
import { type ReactNode, useId } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import styles from './Button.module.css'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'
import { Key } from './Key'
import { Spinner } from './Spinner'

export interface Props
  extends Omit<ButtonProps, 'children' | 'className' | 'isDisabled' | 'isPending'> {
  kind?: 'plain' | 'primary' | 'quiet' | 'danger'
  small?: boolean
  icon?: IconName
  /** The key that does the same; shown, not bound: commands bind keys. */
  keys?: string
  keysFirst?: boolean
  busy?: boolean
  /** Why it cannot be used; makes it disabled. */
  disabled?: string
  /** The answer's key was pressed and waits whether typing follows. */
  arming?: boolean
  wideOnly?: boolean
  /** As wide as high, for what is inside instead of an icon. */
  square?: boolean
  children?: ReactNode
}

export function Button(props: Props) {
  const {
    kind = 'plain',
    small,
    icon,
    keys,
    keysFirst,
    busy,
    disabled,
    arming,
    wideOnly,
    square,
    children,
    ...rest
  } = props
  const reason = useId()
  const bare = square || (icon && !children)
  return (
    <>
      <AriaButton
        {...rest}
        {...(disabled ? { 'aria-describedby': reason } : {})}
        onPress={disabled || busy ? undefined : rest.onPress}
        className={cx(
          styles.btn,
          kind !== 'plain' && styles[kind],
          small && 'sm',
          bare && styles.icon,
          wideOnly && 'wide-only',
        )}
        render={(attributes) => (
          <button
            {...(attributes as React.ButtonHTMLAttributes<HTMLButtonElement>)}
            aria-disabled={disabled ? true : undefined}
            data-arming={arming ? '' : undefined}
          />
        )}
      >
        {busy ? <Spinner /> : icon ? <Icon name={icon} /> : null}
        {keys && keysFirst ? <Key combo={keys} /> : null}
        {children}
        {keys && !keysFirst ? <Key combo={keys} /> : null}
      </AriaButton>
      {disabled ? (
        <span id={reason} className="vh">
          {disabled}
        </span>
      ) : null}
    </>
  )
}
