// A table of records: sort in its head, one row in the tab order, arrows between rows, Space selects,
// Enter opens, Shift+F10 opens the row's menu. Up to 768 px rows become entries.
import { type ReactNode, type Ref, useRef } from 'react'
import { useText } from '#/i18n/text'
import { cx } from './cx'
import styles from './Table.module.css'
import { TableHead } from './TableHead'
import { TableRow } from './TableRow'
import { type RowKeys, useRowKeys } from './useRowKeys'

export interface Column<T> {
  id: string
  title: string
  /** In rem; the column without takes the rest. */
  width?: number
  /** The name of the record; figures, at the end; the row's menu. */
  kind?: 'main' | 'num' | 'menu'
  /** Quiet, one line. */
  soft?: boolean
  /** Left out below 1088 px. */
  wide?: boolean
  /** Left out where rows are entries. */
  listOnly?: boolean
  /** Where rows are entries, the value is bare without its name. */
  named?: boolean
  /** The sort key; columns without cannot sort. */
  sort?: string
  cell: (row: T) => ReactNode
}

export interface Sort {
  by: string
  descending?: boolean
}

export interface Selection {
  keys: ReadonlySet<string>
  onChange: (keys: ReadonlySet<string>) => void
}

/** Rows by their place; those that are not here yet are undefined. */
export interface Rows<T> {
  total: number
  at: (index: number) => T | undefined
}

/** The rows that are drawn, and the room that the others take, in pixels. */
export interface Drawn {
  first: number
  last: number
  before: number
  after: number
  measure?: Ref<HTMLTableRowElement>
  show?: (index: number) => void
}

export interface TableProps<T> {
  label: string
  columns: readonly Column<T>[]
  rows: Rows<T>
  keyOf: (row: T) => string
  nameOf: (row: T) => string
  sort?: Sort
  onSort?: (sort: Sort) => void
  selection?: Selection
  onOpen?: (row: T, newTab: boolean) => void
  /** The record that is open beside the list. */
  open?: string
  /** Text in line with the page's margin instead of 12 px in. */
  inset?: boolean
  drawn?: Drawn
}

/** Rows that are all here. */
export const rowsOf = <T,>(all: readonly T[]): Rows<T> => ({
  total: all.length,
  at: (index) => all[index],
})

export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows, drawn, inset, selection, open, keyOf } = props
  const t = useText()
  const keys: RowKeys = useRowKeys(props)
  const first = drawn?.first ?? 0
  const last = drawn?.last ?? rows.total - 1
  const latest = useRef(props)
  latest.current = props
  const places = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return (
    <table
      className={cx(styles.tbl, styles.fixed, styles.stackable, inset && styles.inset)}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows take the focus, as in a grid.
      role="grid"
      aria-label={label}
      aria-rowcount={rows.total + 1}
      aria-multiselectable={selection ? true : undefined}
      style={leastOf(props) as React.CSSProperties}
      ref={keys.table}
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
    >
      <TableHead {...props} places={places} selectAll={t('list.selectAll')} />
      <tbody>
        <Room height={drawn?.before} />
        {places.map((index) => {
          const row = rows.at(index)
          const id = row === undefined ? undefined : keyOf(row)
          return (
            <TableRow
              key={index}
              index={index}
              row={row}
              columns={columns}
              isCurrent={index === keys.current}
              chosen={id !== undefined && Boolean(selection?.keys.has(id))}
              isOpen={open === undefined ? undefined : open === id}
              table={latest}
              selects={Boolean(selection)}
              opens={Boolean(props.onOpen)}
              measure={drawn?.measure}
            />
          )
        })}
        <Room height={drawn?.after} />
      </tbody>
    </table>
  )
}

/** The first column's least width, in rem: the others are fixed, and it must not vanish beside facets. */
const LEAST = 10
const SELECT = 3.5

function leastOf<T>({ columns, selection }: TableProps<T>) {
  const sum = (some: readonly Column<T>[]) =>
    some.reduce((all, { width = LEAST }) => all + width, selection ? SELECT : 0)
  return {
    '--least': `${sum(columns)}rem`,
    '--least-narrow': `${sum(columns.filter(({ wide }) => !wide))}rem`,
  }
}

/** One cell: with columns that are left out, more would add an empty column. */
function Room({ height }: { height: number | undefined }) {
  if (!height) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of room has nothing to focus.
    <tr aria-hidden="true" className={styles.room}>
      <td style={{ blockSize: height }} />
    </tr>
  )
}
