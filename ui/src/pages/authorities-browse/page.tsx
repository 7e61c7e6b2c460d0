// Browsing authorities: a list of headings and references in their order, entered at any place; one leads to its record.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { queryClient } from '#/api/query'
import { AuthorityPath } from '#/authorities/AuthorityPath'
import { browseQuery, type Heading, LISTS, listOf } from '#/authorities/browse'
import { sourceFilesQuery } from '#/authorities/queries'
import { TitleCount } from '#/authorities/TitleCount'
import { useWords } from '#/authorities/words'
import { loadTexts } from '#/i18n/areas'
import { type TextId, useText } from '#/i18n/text'
import { BrowseFrame, HeadingCell } from '#/search/BrowseFrame'
import type { Column } from '#/ui/Table'

export async function loader() {
  await Promise.all([
    loadTexts('lists', 'inventory', 'authorities'),
    queryClient.prefetchQuery(sourceFilesQuery),
  ])
}

export function AuthoritiesBrowsePage() {
  const t = useText()
  const words = useWords()
  const navigate = useNavigate({ from: '/authorities/browse' })
  const search = useSearch({ from: '/shell/authorities/browse' })
  const list = listOf(search.list)
  const from = search.from ?? ''
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...browseQuery(list, from, search.way ?? 'around'),
    placeholderData: keepPreviousData,
  })
  const columns = useMemo(
    (): Column<Heading>[] => [
      {
        id: 'heading',
        title: t('authority.heading'),
        kind: 'main',
        cell: (one) => (
          <HeadingCell isThere={Boolean(one.authority)}>
            <bdi>{one.headingRef}</bdi>
          </HeadingCell>
        ),
      },
      {
        id: 'ref',
        title: t('authority.facet.authRefType'),
        width: 9,
        soft: true,
        cell: ({ authority }) => words.ref(authority?.authRefType),
      },
      {
        id: 'kind',
        title: t('authority.facet.headingType'),
        width: 11,
        soft: true,
        wide: true,
        cell: ({ authority }) => words.kind(authority?.headingType),
      },
      {
        id: 'file',
        title: t('authority.facet.sourceFileId'),
        width: 14,
        soft: true,
        wide: true,
        cell: ({ authority }) =>
          authority?.sourceFileId ? <bdi>{words.file(authority.sourceFileId)}</bdi> : null,
      },
      {
        id: 'titles',
        title: t('inventory.tab.titles'),
        width: 6,
        kind: 'num',
        named: true,
        cell: ({ authority, headingRef }) =>
          authority ? (
            <TitleCount id={authority.id} heading={headingRef} count={authority.numberOfTitles} />
          ) : null,
      },
    ],
    [t, words],
  )
  return (
    <BrowseFrame<Heading>
      path={<AuthorityPath kind={t('inventory.browse')} />}
      lists={LISTS.map(({ id }) => ({ id, text: t(`authority.by.${id}` as TextId) }))}
      list={list.id}
      from={from}
      part={data}
      isStale={isPlaceholderData}
      error={error}
      retry={() => void refetch()}
      columns={columns}
      keyOf={({ headingRef, authority }) =>
        `${headingRef} ${authority?.id ?? ''} ${authority?.authRefType ?? ''}`
      }
      nameOf={(one) => one.headingRef}
      onOpen={({ authority }) =>
        authority &&
        void navigate({
          to: '/authorities/$authorityId',
          params: { authorityId: authority.id },
        })
      }
      onList={(id) => void navigate({ search: { list: id, from: search.from } })}
      onGo={(value, way) =>
        void navigate({
          search: { list: search.list, from: value, way: way === 'around' ? undefined : way },
        })
      }
    />
  )
}
