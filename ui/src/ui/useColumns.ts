// Which columns a list shows, in which order: kept on this computer for each list.
import { useMemo } from 'react'
import { isRecord, isText } from '#/lib/check'
import { type Stored, stored } from '#/lib/stored'
import { useStored } from '#/lib/useStored'
import type { Column } from './Table'

interface Layout {
  /** Ids in their order; those not in it are new, and as at first. */
  order: string[]
  hidden: string[]
}

export interface ColumnLayout<T> {
  shown: readonly Column<T>[]
  all: readonly Column<T>[]
  isShown: (id: string) => boolean
  show: (id: string, on: boolean) => void
  move: (id: string, step: 1 | -1) => void
  reset: () => void
}

const layouts = new Map<string, Stored<Layout>>()
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

function layoutOf(list: string, hidden: readonly string[]): Stored<Layout> {
  const found = layouts.get(list)
  if (found) return found
  const made = stored<Layout>({
    name: `columns.${list}`,
    version: 1,
    fallback: { order: [], hidden: [...hidden] },
    check: (value): value is Layout =>
      isRecord(value) && isTexts(value.order) && isTexts(value.hidden),
  })
  layouts.set(list, made)
  return made
}

/** `hidden` are those that are not shown at first. The main column and the menu always are. */
export function useColumns<T>(
  list: string,
  columns: readonly Column<T>[],
  hidden: readonly string[] = [],
): ColumnLayout<T> {
  const [layout, write] = useStored(layoutOf(list, hidden))
  return useMemo(() => {
    const place = (id: string) => {
      const at = layout.order.indexOf(id)
      return at < 0 ? columns.findIndex((one) => one.id === id) : at
    }
    const fixed = (column: Column<T>) => column.kind === 'main' || column.kind === 'menu'
    const all = columns.filter((one) => !fixed(one)).sort((a, b) => place(a.id) - place(b.id))
    const isShown = (id: string) => !layout.hidden.includes(id)
    return {
      all,
      isShown,
      shown: [
        ...columns.filter((one) => one.kind === 'main'),
        ...all.filter((one) => isShown(one.id)),
        ...columns.filter((one) => one.kind === 'menu'),
      ],
      show: (id, on) => {
        const others = layout.hidden.filter((one) => one !== id)
        write({ ...layout, hidden: on ? others : [...others, id] })
      },
      move: (id, step) => {
        const order = all.map((one) => one.id)
        const at = order.indexOf(id)
        const to = at + step
        if (to < 0 || to >= order.length) return
        order.splice(to, 0, ...order.splice(at, 1))
        write({ ...layout, order })
      },
      reset: () => write({ order: [], hidden: [...hidden] }),
    }
  }, [columns, hidden, layout, write])
}
