// Hits of a search in windows; what else a list shows of them (holdings, items) is asked for after the rows.
import { queryOptions, useQueries } from '@tanstack/react-query'
import { useCallback } from 'react'
import { get } from '#/api/client'
import { equals } from '#/api/cql'
import { answersOf } from '#/api/query'
import type { Window } from '#/ui/useWindows'
import { type InventorySearch, queryOf } from './search'
import type { Hit, WholeHit } from './types'

/** The route lists no row behind this one. */
export const LISTED_MAX = 10_000

export const hitsOf = (search: InventorySearch) => {
  const query = queryOf(search)
  return {
    key: ['inventory', 'hits', query],
    most: LISTED_MAX,
    load: async (offset: number, limit: number, signal: AbortSignal): Promise<Window<Hit>> => {
      const asked = { query, offset, limit: Math.min(limit, LISTED_MAX - offset) }
      const found = await get<{ totalRecords: number; instances: Hit[] }>(
        '/search/instances',
        asked,
        signal,
      )
      return { total: found.totalRecords, rows: found.instances }
    },
  }
}

/** How many instances there are in all. */
export const everythingQuery = queryOptions({
  queryKey: ['inventory', 'everything'],
  queryFn: async ({ signal }) => {
    const query = { query: 'cql.allRecords=1', limit: 0 }
    return (await get<{ totalRecords: number }>('/search/instances', query, signal)).totalRecords
  },
  staleTime: 5 * 60_000,
})

const wholeQuery = (ids: readonly string[]) => ({
  queryKey: ['inventory', 'whole', ...ids],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const query = ids.map((id) => equals('id', id)).join(' or ')
    const asked = { query, expandAll: true, limit: ids.length }
    const { instances } = await get<{ instances: WholeHit[] }>('/search/instances', asked, signal)
    return new Map(instances.map((one) => [one.id, one]))
  },
  enabled: ids.length > 0,
})

/** Whole records of the rows in view, as far as they are here; another function only where they are others. */
export function useWhole(windows: readonly Window<Hit>[]): (id: string) => WholeHit | undefined {
  const found = useQueries({
    queries: windows.map((window) => wholeQuery(window.rows.map((row) => row.id))),
    combine: answersOf,
  })
  return useCallback(
    (id) => {
      for (const some of found) {
        const one = some?.get(id)
        if (one) return one
      }
      return undefined
    },
    [found],
  )
}
