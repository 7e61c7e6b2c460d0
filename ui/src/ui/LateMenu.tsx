// The menu of a row, of which a list has many: before it is wanted there is its button only, and that a plain one,
// for what a menu needs takes longer to make than all the rest of the row.
import { type KeyboardEvent, useEffect, useState } from 'react'
import { Button } from './Button'
import styles from './Button.module.css'
import { cx } from './cx'
import { Icon } from './Icon'
import { Menu, type MenuProps } from './Menu'

type Props = Pick<MenuProps, 'label' | 'acts'>

export function LateMenu(props: Props) {
  const { label } = props
  /** Opened by keys, its first act has the focus. */
  const [wanted, setWanted] = useState<'keys' | 'pointer'>()
  if (wanted) return <Opened {...props} byKeys={wanted === 'keys'} />
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    event.stopPropagation()
    setWanted('keys')
  }
  return (
    <button
      type="button"
      className={cx(styles.btn, styles.quiet, 'sm', styles.icon)}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      // Keys press without counting.
      onClick={({ detail }) => setWanted(detail ? 'pointer' : 'keys')}
      onKeyDown={press}
    >
      <Icon name="ellipsis" />
    </button>
  )
}

function Opened({ byKeys, ...props }: Props & { byKeys: boolean }) {
  const [open, setOpen] = useState(false)
  // The button has the focus first: the menu gives it back there.
  useEffect(() => setOpen(true), [])
  return (
    <Menu
      {...props}
      open={open}
      onOpen={setOpen}
      byKeys={byKeys}
      trigger={<Button kind="quiet" small icon="ellipsis" aria-label={props.label} autoFocus />}
    />
  )
}
