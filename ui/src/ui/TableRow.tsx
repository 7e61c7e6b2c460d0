// One row: a record, or grey bars at its true height while it is not here yet.
import { type MouseEvent, memo, type Ref, type RefObject } from 'react'
import { useText } from '#/i18n/text'
import { cx } from './cx'
import { openRow } from './openRow'
import { Skeleton } from './Skeleton'
import type { Column, TableProps } from './Table'
import styles from './Table.module.css'

interface Props<T> {
  index: number
  /** Undefined while it is not here yet. */
  row: T | undefined
  columns: readonly Column<T>[]
  isCurrent: boolean
  chosen: boolean
  /** Whether it is the one that is open beside the list; undefined where none can be. */
  isOpen: boolean | undefined
  /** What the row says to the table, as it is when the row says it. */
  table: RefObject<TableProps<T>>
  selects: boolean
  opens: boolean
  measure: Ref<HTMLTableRowElement> | undefined
}

const SHARES = [12, 15, 9, 18, 6] as const
const OWN_CLICK = 'a, button, input, label, select, textarea, summary'

/** Only a row that is different itself is drawn again: a page draws its table with each letter of a search. */
export const TableRow = memo(Drawn) as typeof Drawn

function Drawn<T>(props: Props<T>) {
  const { index, row, columns, isCurrent, chosen, isOpen, table, selects, opens, measure } = props
  const t = useText()
  if (row === undefined) {
    return (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row that is not here yet has nothing to focus.
      <tr aria-hidden="true" data-index={index} ref={measure}>
        {selects ? <td className="x" /> : null}
        {columns.map((column, at) => (
          <td key={column.id} className={classes(column)}>
            {column.kind === 'menu' ? null : (
              <Skeleton share={SHARES[(index + at) % SHARES.length] ?? 12} />
            )}
          </td>
        ))}
      </tr>
    )
  }
  const key = table.current.keyOf(row)
  const toggle = () => {
    const { selection } = table.current
    const next = new Set(selection?.keys)
    if (!next.delete(key)) next.add(key)
    selection?.onChange(next)
  }
  const click = (event: MouseEvent<HTMLTableRowElement>) => {
    // What was marked is to be copied; links and buttons answer for themselves.
    if ((event.target as Element).closest(OWN_CLICK)) return
    if (getSelection()?.isCollapsed === false) return
    openRow(table.current, row, event.ctrlKey || event.metaKey)
  }
  return (
    <tr
      ref={measure}
      data-index={index}
      data-key={key}
      data-opens={opens ? '' : undefined}
      aria-rowindex={index + 2}
      aria-selected={selects ? chosen : isOpen}
      tabIndex={isCurrent ? 0 : -1}
      onClick={click}
    >
      {selects ? (
        <td className="x">
          <input
            type="checkbox"
            data-select=""
            tabIndex={-1}
            aria-label={t('list.chooseRow', { name: table.current.nameOf(row) })}
            checked={chosen}
            onChange={toggle}
          />
        </td>
      ) : null}
      {columns.map((column) => (
        <td
          key={column.id}
          className={classes(column)}
          data-k={column.named ? column.title : undefined}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

function classes<T>({ kind, soft, wide, listOnly }: Column<T>) {
  return cx(
    kind === 'main' && cx('main', styles.main),
    kind === 'num' && 'num',
    kind === 'menu' && 'num m',
    soft && 'soft cut',
    wide && 'w x',
    listOnly && 'x',
  )
}
