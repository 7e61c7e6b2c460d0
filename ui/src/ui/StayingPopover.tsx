// The list under a field that is typed into. React Aria closes it whenever something around the field scrolls, and
// a page scrolls by itself, too: a part above the field arrives, a chip is added, the browser keeps its place. So the
// list goes with its field, and closes when that is scrolled out of sight.
import { type ReactNode, useContext } from 'react'
import { ComboBoxStateContext } from 'react-aria-components/ComboBox'
import { Popover } from 'react-aria-components/Popover'
import menu from './Menu.module.css'

export function StayingPopover({ children }: { children: ReactNode }) {
  const state = useContext(ComboBoxStateContext)
  const change = (open: boolean) => {
    if (open) return
    if (window.event?.type === 'scroll' && isInSight(document.activeElement))
      // It finds its place again as it does when the window changes.
      window.dispatchEvent(new Event('resize'))
    else state?.close()
  }
  return (
    <Popover
      className={menu.popover ?? ''}
      // Without a state the list is only collected, not shown.
      {...(state ? { isOpen: state.isOpen, onOpenChange: change } : {})}
    >
      {children}
    </Popover>
  )
}

/** Nothing lies over its middle, and no pane cuts it off there. */
function isInSight(field: Element | null): boolean {
  if (!field) return false
  const { left, top, width, height } = field.getBoundingClientRect()
  const seen = document.elementFromPoint(left + width / 2, top + height / 2)
  return seen !== null && field.contains(seen)
}
