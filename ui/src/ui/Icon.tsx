// One of Lucide's shapes. Always decoration: the word beside it, or the button's label, says the same.
import { createElement } from 'react'
import { cx } from './cx'
import { type IconName, shapeOf } from './icons'

export type { IconName }

// Signs with a direction turn with the page.
const MIRRORED: ReadonlySet<string> = new Set([
  'book-up',
  'truck',
  'chevron-left',
  'chevron-right',
  'log-out',
  'rotate-ccw',
  'external-link',
  'shopping-cart',
  'list',
  'list-checks',
  'list-tree',
  'undo-2',
])

interface Props {
  name: IconName
  large?: boolean
  small?: boolean
}

export function Icon({ name, large, small }: Props) {
  return (
    <svg
      className={cx('i', large && 'l', small && 's', MIRRORED.has(name) && 'flip')}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      {shapeOf(name).map(([tag, attributes], key) => createElement(tag, { key, ...attributes }))}
    </svg>
  )
}
