// Names of the columns; one that can sort is a button, with its direction as an arrow and in words.
import { useText } from '#/i18n/text'
import { cx } from './cx'
import { Icon } from './Icon'
import type { Column, TableProps } from './Table'

interface Props<T> extends TableProps<T> {
  places: readonly number[]
  selectAll: string
}

export function TableHead<T>(props: Props<T>) {
  const { columns, selection, rows, keyOf, places, selectAll, inset } = props
  const shown = places.flatMap((at) => {
    const row = rows.at(at)
    return row === undefined ? [] : [keyOf(row)]
  })
  const all = shown.length > 0 && shown.every((key) => selection?.keys.has(key))
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection ? (
          <th scope="col" className="x" style={{ inlineSize: inset ? '3.5rem' : '2.75rem' }}>
            <input
              type="checkbox"
              aria-label={selectAll}
              checked={all}
              onChange={() => selection.onChange(new Set(all ? [] : shown))}
            />
          </th>
        ) : null}
        {columns.map((column) => (
          <Name key={column.id} column={column} {...props} />
        ))}
      </tr>
    </thead>
  )
}

function Name<T>({ column, sort, onSort }: Props<T> & { column: Column<T> }) {
  const t = useText()
  const { title, width, kind, wide, sort: key } = column
  const on = key !== undefined && sort?.by === key
  const direction = on ? (sort.descending ? 'descending' : 'ascending') : undefined
  return (
    <th
      scope="col"
      className={cx(kind === 'num' && 'num', wide && 'w')}
      style={width ? { inlineSize: `${width}rem` } : undefined}
      aria-sort={direction}
    >
      {kind === 'menu' ? (
        <span className="vh">{title}</span>
      ) : key && onSort ? (
        <button
          type="button"
          aria-label={t('list.sortAscending', { name: title })}
          onClick={() => onSort({ by: key, descending: on && !sort.descending })}
        >
          {title}
          {on ? <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} small /> : null}
        </button>
      ) : (
        title
      )}
    </th>
  )
}
