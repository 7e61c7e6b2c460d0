// The tenant's searches that lack an index, and building one.
import { queryOptions } from '@tanstack/react-query'
import { post, remove } from '#/api/client'
import { queryClient } from '#/api/query'
import { session } from '#/api/session'
import { probed } from './probe'

export interface Lacking {
  collection: string
  index: { kind: string; field?: string }
}

export interface Advice {
  number: number
  collection: string
  /** The search with `?` in place of its values. */
  query: string
  times: number
  recordsReturned: number
  recordsInCollection: number
  totalMilliseconds: number
  longestMilliseconds: number
  firstSeen?: string
  lastSeen?: string
  indexes: Lacking[]
  /** The command that builds the index. */
  apply: string
}

/** While one is built the list is asked for again. */
const AGAIN_MS = 1500

export const adviceQuery = queryOptions({
  queryKey: ['index-advice', session.tenant],
  queryFn: ({ signal }) =>
    probed<{ indexAdvice: Advice[]; totalRecords: number }>('/_/index-advice', undefined, signal),
  staleTime: 0,
})

export interface Index {
  index: string
  collection: string
  from: 'release' | 'applied' | 'undeclared'
  bytes?: number
  scans?: number
  state: 'in use' | 'unused' | 'building' | 'failed' | 'missing'
  reason?: string
}

export interface Indexes {
  indexes: Index[]
  totalRecords: number
  /** The number of the advice that is followed just now. */
  building?: number | null
}

export const indexesQuery = queryOptions({
  queryKey: ['indexes', session.tenant],
  queryFn: async ({ signal }) => {
    const found = await probed<Indexes>('/_/octavo/indexes', undefined, signal)
    if (found.state === 'there' && isBuilding(found.data)) isFollowed = true
    else if (isFollowed) {
      // Advice disappears when its index exists.
      isFollowed = false
      void queryClient.invalidateQueries({ queryKey: ['index-advice'] })
    }
    return found
  },
  staleTime: 0,
  refetchInterval: ({ state: { data } }) =>
    data?.state === 'there' && isBuilding(data.data) ? AGAIN_MS : false,
})

let isFollowed = false

const isBuilding = ({ building, indexes }: Indexes) =>
  typeof building === 'number' || indexes.some(({ state }) => state === 'building')

export async function buildIndex(advice: number) {
  await post('/_/octavo/indexes', { advice })
  await queryClient.invalidateQueries({ queryKey: ['indexes'] })
}

export async function dropIndex(index: string) {
  await remove(`/_/octavo/indexes/${encodeURIComponent(index)}`)
  await queryClient.invalidateQueries({ queryKey: ['indexes'] })
}
