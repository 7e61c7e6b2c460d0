// A place's list: facets at the start side, words, rows in windows; all of it in the address.
import { type ReactNode, useMemo, useState } from 'react'
import type { Id } from '#/api/types'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Facets } from '#/ui/Facets'
import { Failed } from '#/ui/Failed'
import type { IconName } from '#/ui/Icon'
import { ListFoot } from '#/ui/ListFoot'
import { page } from '#/ui/Page'
import type { Column } from '#/ui/Table'
import { useWindows, type Windows } from '#/ui/useWindows'
import { VirtualTable } from '#/ui/VirtualTable'
import type { ListSearch } from './search'
import { hasWords, type ListKind, sourceOf } from './source'
import { type FacetOf, useListFacets } from './useListFacets'
import { WordsLine } from './WordsLine'

interface Props<T extends Id> {
  kind: ListKind
  search: ListSearch
  label: string
  words?: string
  icon: IconName
  none: string
  noneWhat?: string
  facets: readonly FacetOf[]
  /** The columns, with what else the rows in view need. */
  columns: (rows: Windows<T>) => readonly Column<T>[]
  nameOf: (row: T) => string
  onChange: (patch: Partial<ListSearch>) => void
  onOpen: (row: T) => void
  /** The head of the page, and tabs between its lists. */
  children?: ReactNode
}

export function RecordList<T extends Id>(props: Props<T>) {
  const { kind, search, label, words, icon, none, noneWhat, columns, nameOf, onChange } = props
  const source = useMemo(() => sourceOf<T>(kind, search), [kind, search])
  const rows = useWindows<T>(source)
  const [range, setRange] = useState({ first: 0, last: 0 })
  const [narrow, setNarrow] = useState(false)
  const { facets, open, choose } = useListFacets(kind, search, props.facets, onChange)
  const sort = search.sort ?? kind.sort
  return (
    <div className={cx(page.split, page.start, page.facets)}>
      <Facets facets={facets} shown={narrow} onOpen={open} onChoose={choose} />
      <div className={page.col}>
        {props.children}
        <WordsLine
          label={hasWords(kind) ? words : undefined}
          search={search}
          facets={props.facets}
          found={rows.found}
          narrow={narrow}
          onNarrow={setNarrow}
          onChange={onChange}
        />
        {rows.error && !rows.total ? (
          <div className={page.body}>
            <Failed error={rows.error} retry={rows.retry} />
          </div>
        ) : null}
        {rows.total === 0 && !rows.isLoading ? (
          <Empty icon={icon} title={none} text={noneWhat} />
        ) : (
          <VirtualTable<T>
            label={label}
            listKey={JSON.stringify([kind.path, kind.base, search])}
            columns={columns(rows)}
            rows={rows}
            keyOf={(one) => one.id}
            nameOf={nameOf}
            sort={{ by: sort.replace(/^-/, ''), descending: sort.startsWith('-') }}
            onSort={({ by, descending }) => onChange({ sort: descending ? `-${by}` : by })}
            onOpen={props.onOpen}
            onRange={(first, last) => {
              rows.onRange(first, last)
              setRange({ first, last })
            }}
          />
        )}
        <ListFoot
          first={range.first}
          last={Math.min(range.last, rows.total - 1)}
          total={rows.found}
          error={rows.error}
          retry={rows.retry}
        />
      </div>
    </div>
  )
}
