// Counts of the open facets, for the search as it is; the last counts stay while new ones come.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { get } from '#/api/client'
import type { ListName } from '#/api/lists'
import { useNames } from '#/api/lists'
import { type TextId, useText } from '#/i18n/text'
import { FACETS, type FacetKind } from '#/inventory/facets'
import { conditionOf, type InventorySearch, RANGES, segmentOf } from '#/inventory/search'
import { useStatusWord } from '#/inventory/status'
import { useLanguageName } from '#/inventory/useLanguageName'
import { useSettled } from '#/lib/useSettled'
import type { Facet } from '#/ui/FacetGroup'

const PAUSE_MS = 250

interface Counts {
  facets: Record<string, { values: { id: string; totalRecords: number }[] }>
}

const LISTS: ListName[] = [
  'locations',
  'instanceTypes',
  'instanceFormats',
  'modesOfIssuance',
  'natureOfContent',
  'instanceStatuses',
  'statisticalCodes',
  'holdingsTypes',
  'holdingsSources',
  'materialTypes',
  'callNumberTypes',
]

export interface InventoryFacet extends Facet {
  kind: FacetKind
}

/** `shown`: the page has been seen, and counts may be asked for. */
export function useFacets(search: InventorySearch, shown: boolean) {
  const t = useText()
  const kinds = FACETS[segmentOf(search)]
  const [folded, setFolded] = useState<Record<string, boolean>>({})
  const wordOf = useWords(shown)
  const isOpen = (one: FacetKind) =>
    folded[one.id] ?? (Boolean(one.open) || Boolean(search.f?.[one.id]))
  const counted = kinds.filter((one) => isOpen(one) && !RANGES.includes(one.id))
  // Counts cost more than rows, and are not read while typing.
  const query = useSettled(conditionOf(search), PAUSE_MS)
  const facet = counted.map((one) => one.id).join()
  const { data, error, refetch } = useQuery({
    queryKey: ['inventory', 'facets', query, facet],
    queryFn: ({ signal }) => get<Counts>('/search/instances/facets', { query, facet }, signal),
    enabled: shown && counted.length > 0,
    placeholderData: keepPreviousData,
  })
  // The address is read anew with each letter; what narrows is the same until it is something else.
  const state = JSON.stringify(kinds.map((one) => [isOpen(one), search.f?.[one.id] ?? []]))
  const facets = useMemo(() => {
    const states = JSON.parse(state) as [boolean, string[]][]
    return kinds.map((one, at): InventoryFacet => {
      const [isOpen = false, chosen = []] = states[at] ?? []
      return {
        id: one.id,
        kind: one,
        title: t(`inventory.facet.${one.id.replaceAll('.', '_')}` as TextId),
        open: isOpen,
        chosen,
        values: data?.facets[one.id]?.values.map(({ id, totalRecords }) => ({
          id,
          text: wordOf(one, id),
          count: totalRecords,
        })),
      }
    })
  }, [kinds, state, data, t, wordOf])
  const open = useCallback(
    (id: string, on: boolean) => setFolded((before) => ({ ...before, [id]: on })),
    [],
  )
  return { facets, wordOf, error, retry: () => void refetch(), open }
}

/** The word for a value of a facet. */
function useWords(shown: boolean) {
  const t = useText()
  const names = useNames(...(shown ? LISTS : []))
  const language = useLanguageName()
  const status = useStatusWord()
  return useMemo(
    () =>
      ({ words }: FacetKind, id: string): string => {
        if (words === 'language') return language(id)
        if (words === 'status') return status(id)
        if (words === 'flag') return t(id === 'true' ? 'inventory.yes' : 'inventory.no')
        if (words === 'text' || words === 'year' || words === 'date') return id
        return names(words, id) ?? id
      },
    [language, names, status, t],
  )
}
