// One row: a record, or grey bars at its true height while it is not here yet.
import { type MouseEvent, memo } from 'react'
import { useText } from '#/i18n/text'
import { cx } from './cx'
import { Skeleton } from './Skeleton'
import type { Column, TableProps } from './Table'
import styles from './Table.module.css'

interface Props<T> extends TableProps<T> {
  index: number
  isCurrent: boolean
}

const SHARES = [12, 15, 9, 18, 6] as const
const OWN_CLICK = 'a, button, input, label, select, textarea, summary'

/** When the tab order's row changes, the others are not drawn again. */
export const TableRow = memo(Drawn) as typeof Drawn

function Drawn<T>(props: Props<T>) {
  const { rows, index, isCurrent, columns, selection, keyOf, nameOf, onOpen, open, drawn } = props
  const t = useText()
  const row = rows.at(index)
  if (row === undefined) {
    return (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row that is not here yet has nothing to focus.
      <tr aria-hidden="true" data-index={index} ref={drawn?.measure}>
        {selection ? <td className="x" /> : null}
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
  const key = keyOf(row)
  const chosen = selection?.keys.has(key)
  const toggle = () => {
    const next = new Set(selection?.keys)
    if (!next.delete(key)) next.add(key)
    selection?.onChange(next)
  }
  const click = (event: MouseEvent<HTMLTableRowElement>) => {
    // What was marked is to be copied; links and buttons answer for themselves.
    if (!onOpen || (event.target as Element).closest(OWN_CLICK)) return
    if (getSelection()?.isCollapsed === false) return
    onOpen(row, event.ctrlKey || event.metaKey)
  }
  return (
    <tr
      ref={drawn?.measure}
      data-index={index}
      data-key={key}
      data-opens={onOpen ? '' : undefined}
      aria-rowindex={index + 2}
      aria-selected={selection ? chosen : open === undefined ? undefined : open === key}
      tabIndex={isCurrent ? 0 : -1}
      onClick={click}
    >
      {selection ? (
        <td className="x">
          <input
            type="checkbox"
            data-select=""
            tabIndex={-1}
            aria-label={t('list.chooseRow', { name: nameOf(row) })}
            checked={Boolean(chosen)}
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
