// The tenant's searches that lack an index, and building one.
import { queryOptions } from '@tanstack/react-query'
import { post } from '#/api/client'
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
  /** Of servers that build indexes by request. */
  state?: 'building' | 'failed'
  reason?: string
}

/** While one is built the list is asked for again. */
const AGAIN_MS = 1500

export const adviceQuery = queryOptions({
  queryKey: ['index-advice', session.tenant],
  queryFn: ({ signal }) =>
    probed<{ indexAdvice: Advice[]; totalRecords: number }>('/_/index-advice', undefined, signal),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) =>
    data?.state === 'there' && data.data.indexAdvice.some(({ state }) => state === 'building')
      ? AGAIN_MS
      : false,
})

export interface Index {
  collection: string
  index: string
  from: 'release' | 'applied'
  bytes: number
  scans: number
  state: string
}

/** Servers that list their indexes build them by request, too. */
export const indexesQuery = queryOptions({
  queryKey: ['indexes', session.tenant],
  queryFn: ({ signal }) =>
    probed<{ indexes: Index[]; totalRecords: number }>('/_/octavo/indexes', undefined, signal),
  staleTime: 0,
})

export const buildIndex = (advice: number) => post('/_/octavo/indexes', { advice })
