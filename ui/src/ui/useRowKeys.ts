// The keys of a table. One row is in the tab order; the others are reached by arrows.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isEditing } from '#/keys/combos'
import { openRow } from './openRow'
import type { TableProps } from './Table'

const PAGE = 10

export interface RowKeys {
  table: React.RefObject<HTMLTableElement | null>
  current: number
  onKeyDown: (event: KeyboardEvent) => void
  onFocus: (event: React.FocusEvent) => void
}

export function useRowKeys<T>(props: TableProps<T>): RowKeys {
  const { rows, drawn, selection, keyOf, onOpen } = props
  const table = useRef<HTMLTableElement>(null)
  const [wanted, setWanted] = useState(0)
  /** The row that gets the focus as soon as it is drawn. */
  const goal = useRef<number | undefined>(undefined)
  const first = drawn?.first ?? 0
  const last = drawn?.last ?? rows.total - 1
  // The row with the focus may be scrolled away: then one that is drawn is in the tab order.
  const current = Math.min(Math.max(wanted, first), Math.max(first, last))

  useEffect(() => {
    if (goal.current === undefined) return
    const row = table.current?.querySelector<HTMLElement>(
      `tr[data-key][data-index="${goal.current}"]`,
    )
    if (!row) return
    goal.current = undefined
    row.focus()
  })

  const go = (index: number) => {
    const next = Math.min(Math.max(index, 0), rows.total - 1)
    goal.current = next
    setWanted(next)
    drawn?.show?.(next)
    const row = table.current?.querySelector<HTMLElement>(`tr[data-key][data-index="${next}"]`)
    row?.focus()
    if (row) goal.current = undefined
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const place = target.closest<HTMLElement>('tr[data-index]')
    if (!place || isEditing(target)) return
    const index = Number(place.dataset.index)
    const onRow = target === place
    const steps: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: rows.total - 1,
      PageDown: index + PAGE,
      PageUp: index - PAGE,
    }
    const step = steps[event.key]
    const row = rows.at(index)
    if (step !== undefined && !event.altKey) go(step)
    else if (event.key === 'Enter' && onRow && row !== undefined && onOpen)
      openRow(props, row, event.ctrlKey || event.metaKey)
    else if (event.key === ' ' && onRow && selection)
      place.querySelector<HTMLElement>('[data-select]')?.click()
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && selection)
      selection.onChange(new Set(drawnKeys(first, last, rows.at, keyOf)))
    else if (event.key === 'Escape' && selection?.keys.size) selection.onChange(new Set())
    else if ((event.key === 'F10' && event.shiftKey) || event.key === 'ContextMenu')
      place.querySelector<HTMLElement>('[aria-haspopup]')?.click()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const onFocus = (event: React.FocusEvent) => {
    const place = (event.target as HTMLElement).closest<HTMLElement>('tr[data-key]')
    if (place) setWanted(Number(place.dataset.index))
  }

  return { table, current, onKeyDown, onFocus }
}

function drawnKeys<T>(
  first: number,
  last: number,
  at: (index: number) => T | undefined,
  keyOf: (row: T) => string,
): string[] {
  const keys: string[] = []
  for (let index = first; index <= last; index += 1) {
    const row = at(index)
    if (row !== undefined) keys.push(keyOf(row))
  }
  return keys
}
