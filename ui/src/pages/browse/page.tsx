// Browsing: a list of headings in their order, entered at any place; a heading leads to its titles.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { browseQuery, type Heading, headingText, LISTS, listOf } from '#/inventory/browse'
import { RecordPath } from '#/inventory/RecordPath'
import type { InventorySearch } from '#/inventory/search'
import { useFormats } from '#/lib/format'
import { BrowseFrame, HeadingCell } from '#/search/BrowseFrame'
import { Code } from '#/ui/Code'
import type { Column } from '#/ui/Table'

/** Of a call number with one title. */
const titleColumn = (title: string): Column<Heading> => ({
  id: 'title',
  title,
  soft: true,
  wide: true,
  width: 22,
  cell: (one) => <bdi>{one.instanceTitle}</bdi>,
})

export async function loader() {
  await loadTexts('lists', 'inventory')
}

export function BrowsePage() {
  const t = useText()
  const { number } = useFormats()
  const navigate = useNavigate({ from: '/inventory/browse' })
  const search = useSearch({ from: '/shell/inventory/browse' })
  const list = listOf(search.list)
  const from = search.from ?? ''
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...browseQuery(list, from, search.way ?? 'around'),
    placeholderData: keepPreviousData,
  })
  const open = (heading: Heading) => {
    if (!heading.totalRecords) return
    const text = headingText(heading)
    const target: InventorySearch = {
      lines: [{ join: 'and', by: list.by, match: 'phrase', text }],
    }
    void navigate({ to: '/inventory', search: target })
  }
  const isNumber = list.field === 'fullCallNumber' || list.field === 'number'
  const columns = useMemo(
    (): Column<Heading>[] => [
      {
        id: 'heading',
        title: t(`inventory.list.${list.id}`),
        kind: 'main',
        cell: (one) => (
          <HeadingCell isThere={Boolean(one.totalRecords)}>
            {isNumber ? <Code plain>{headingText(one)}</Code> : <bdi>{headingText(one)}</bdi>}
          </HeadingCell>
        ),
      },
      ...(list.by === 'callNumber' ? [titleColumn(t('inventory.title'))] : []),
      {
        id: 'count',
        title: t('inventory.tab.titles'),
        width: 6,
        kind: 'num',
        named: true,
        cell: (one) => (one.totalRecords ? number(one.totalRecords) : null),
      },
    ],
    [t, number, list.id, list.by, isNumber],
  )
  return (
    <BrowseFrame<Heading>
      path={<RecordPath kind={t('inventory.browse')} />}
      lists={LISTS.map(({ id }) => ({ id, text: t(`inventory.list.${id}`) }))}
      list={list.id}
      from={from}
      part={data}
      isStale={isPlaceholderData}
      error={error}
      retry={() => void refetch()}
      columns={columns}
      keyOf={(one) => `${headingText(one)} ${one.contributorNameTypeId ?? ''}`}
      nameOf={headingText}
      onOpen={open}
      onList={(id) => void navigate({ search: { list: id, from: search.from } })}
      onGo={(value, way) =>
        void navigate({
          search: { list: search.list, from: value, way: way === 'around' ? undefined : way },
        })
      }
    />
  )
}
