// A table of thousands of rows in a pane of its own: only the rows in view are drawn, the others are room.
// What the list is (`listKey`) decides when it begins at its top again, and where it stood before.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { cx } from './cx'
import { page } from './Page'
import { Table, type TableProps } from './Table'
import styles from './Table.module.css'

interface Props<T> extends Omit<TableProps<T>, 'drawn'> {
  listKey: string
  /** Called when other rows come into view. */
  onRange: (first: number, last: number) => void
}

/** Rows drawn beyond those in view; not with the first frame, which is for what is seen. */
const OVERSCAN = 8
/** Where lists stood, so that the way back from a record leads to the same rows. */
const offsets = new Map<string, number>()
const OFFSETS_MAX = 50

export function VirtualTable<T>({ listKey, onRange, ...props }: Props<T>) {
  // Rows are drawn in pieces, between which the next letter is heard.
  const rows = useDeferredValue(props.rows)
  const columns = useDeferredValue(props.columns)
  const overscan = useDeferredValue(OVERSCAN, 0)
  const pane = useRef<HTMLElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [margin, setMargin] = useState(0)
  const measure = () => {
    const own = pane.current
    if (!own) return
    // On phones the pane grows and the sheet scrolls.
    const found = getComputedStyle(own).overflowY === 'visible' ? own.closest('main') : own
    setScroller(found)
    const top = own.getBoundingClientRect().top - (found?.getBoundingClientRect().top ?? 0)
    setMargin(found === own ? 0 : top + (found?.scrollTop ?? 0))
  }
  useLayoutEffect(measure, [])
  useEffect(() => {
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  })
  const virtual = useVirtualizer({
    count: rows.total,
    getScrollElement: () => scroller,
    estimateSize: rowHeight,
    overscan,
    scrollMargin: margin,
    initialOffset: () => offsets.get(listKey) ?? 0,
  })
  const listed = useRef(listKey)
  useEffect(() => {
    if (listed.current !== listKey) scroller?.scrollTo({ top: 0 })
    listed.current = listKey
    return () => {
      offsets.delete(listKey)
      offsets.set(listKey, virtual.scrollOffset ?? 0)
      if (offsets.size > OFFSETS_MAX) offsets.delete(offsets.keys().next().value ?? '')
    }
  }, [listKey, scroller, virtual])
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? -1
  // What is in view, without the rows drawn beyond it.
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {}
  // Told when it changes, not at each drawing: who is told may draw again.
  const told = useRef(onRange)
  told.current = onRange
  useEffect(() => told.current(startIndex, endIndex), [startIndex, endIndex, listKey])
  return (
    <section
      className={cx(page.pane, styles.list)}
      ref={pane}
      aria-label={props.label}
      // A list without rows scrolls by nothing else.
      tabIndex={rows.total ? -1 : 0}
    >
      <Table
        {...props}
        rows={rows}
        columns={columns}
        inset
        drawn={{
          first,
          last,
          before: (items[0]?.start ?? margin) - margin,
          after: virtual.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin),
          measure: virtual.measureElement,
          show: (index) => virtual.scrollToIndex(index),
        }}
      />
    </section>
  )
}

/** The token's height of a row in pixels; rows as entries are measured when they are drawn. */
function rowHeight(): number {
  const root = getComputedStyle(document.documentElement)
  return (
    (Number.parseFloat(root.getPropertyValue('--h-row')) || 2.5) * Number.parseFloat(root.fontSize)
  )
}
