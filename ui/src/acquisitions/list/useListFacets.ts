// The facets of a list with their counts: each value is counted by a list of no rows, without the facet itself.
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Facet } from '#/ui/FacetGroup'
import type { FacetName, ListSearch } from './search'
import { countOf, type ListKind } from './source'

export interface FacetOf {
  id: FacetName
  title: string
  values: readonly { value: string; text: string }[]
}

export function useListFacets(
  kind: ListKind,
  search: ListSearch,
  of: readonly FacetOf[],
  change: (patch: Partial<ListSearch>) => void,
) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const asked = of.flatMap(({ id, values }) =>
    values.map(({ value }) => ({ id, search: { ...search, [id]: [value], sort: undefined } })),
  )
  const counts = useQueries({
    queries: asked.map((one) => ({
      queryKey: ['acq', 'count', kind.path, kind.base, one.search],
      queryFn: ({ signal }: { signal: AbortSignal }) => countOf(kind, one.search, signal),
      enabled: !folded.has(one.id),
    })),
  })
  let at = 0
  const facets = of.map(({ id, title, values }): Facet => {
    const own = values.map((value) => ({ ...value, count: counts[at++]?.data }))
    return {
      id,
      title,
      open: !folded.has(id),
      chosen: search[id] ?? [],
      values: own.every(({ count }) => count !== undefined)
        ? own.map(({ value, text, count = 0 }) => ({ id: value, text, count }))
        : undefined,
    }
  })
  return {
    facets,
    open: (id: string, isOpen: boolean) =>
      setFolded((before) => {
        const next = new Set(before)
        if (isOpen) next.delete(id)
        else next.add(id)
        return next
      }),
    choose: (id: string, chosen: string[]) =>
      change({ [id]: chosen.length ? chosen : undefined } as Partial<ListSearch>),
  }
}
