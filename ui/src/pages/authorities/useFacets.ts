// Counts of the open facets, for the search as it is; the last counts stay while new ones come.
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '#/api/client'
import { all, equals } from '#/api/cql'
import { countOf } from '#/authorities/queries'
import {
  type AuthoritySearch,
  COUNTED,
  conditionOf,
  FACETS,
  FORMS,
  RANGES,
} from '#/authorities/search'
import type { RefType } from '#/authorities/types'
import { useWords } from '#/authorities/words'
import { type TextId, useText } from '#/i18n/text'
import { useSettled } from '#/lib/useSettled'
import type { Facet } from '#/ui/FacetGroup'

const PAUSE_MS = 250
const REFS: readonly RefType[] = ['Authorized', 'Reference', 'Auth/Ref']

interface Counts {
  facets: Record<string, { values: { id: string; totalRecords: number }[] }>
}

/** The same search without what narrows it by this facet. */
const without = (search: AuthoritySearch, facet: string): AuthoritySearch => {
  const f = Object.entries(search.f ?? {}).filter(([id]) => id !== facet)
  return { ...search, f: Object.fromEntries(f) }
}

export function useFacets(search: AuthoritySearch) {
  const t = useText()
  const words = useWords()
  const [folded, setFolded] = useState<Record<string, boolean>>({})
  const isOpen = (id: string) => folded[id] ?? (!RANGES.includes(id) || Boolean(search.f?.[id]))
  // Counts cost more than rows, and are not read while typing.
  const query = useSettled(conditionOf(search), PAUSE_MS)
  const others = useSettled(conditionOf(without(search, FORMS)), PAUSE_MS)
  const facet = COUNTED.filter(isOpen).join()
  const { data } = useQuery({
    queryKey: ['authorities', 'facets', query, facet],
    queryFn: ({ signal }) => get<Counts>('/search/authorities/facets', { query, facet }, signal),
    enabled: facet !== '',
    placeholderData: keepPreviousData,
  })
  const forms = useQueries({
    queries: REFS.map((ref) => ({
      queryKey: ['authorities', 'count', others, ref],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        countOf(all(`(${others})`, equals(FORMS, ref)), signal),
      enabled: isOpen(FORMS),
      placeholderData: keepPreviousData,
    })),
  })
  const wordOf = (id: string, value: string): string => {
    if (id === FORMS) return words.ref(value)
    if (id === 'headingType') return words.kind(value)
    return id === 'sourceFileId' ? words.file(value) : words.thesaurus(value)
  }
  const valuesOf = (id: string) => {
    if (id !== FORMS)
      return data?.facets[id]?.values.map((one) => ({ id: one.id, count: one.totalRecords }))
    if (forms.some((one) => one.data === undefined)) return undefined
    return REFS.map((ref, at) => ({ id: ref as string, count: forms[at]?.data ?? 0 }))
  }
  const facets = FACETS.map(
    (id): Facet => ({
      id,
      title: t(`authority.facet.${id.replaceAll('.', '_')}` as TextId),
      open: isOpen(id),
      chosen: search.f?.[id] ?? [],
      values: valuesOf(id)?.map((one) => ({ ...one, text: wordOf(id, one.id) })),
    }),
  )
  return {
    facets,
    textOf: ({ id, title, chosen }: Facet): string =>
      RANGES.includes(id)
        ? `${title} ${chosen[0] ?? ''}–${chosen[1] ?? ''}`
        : chosen.map((value) => wordOf(id, value)).join(', '),
    open: (id: string, on: boolean) => setFolded({ ...folded, [id]: on }),
  }
}
