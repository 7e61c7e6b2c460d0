// What the pages of requests read and do.
import { queryOptions } from '@tanstack/react-query'
import { allPages } from '#/api/allPages'
import { get, post } from '#/api/client'
import type { Coded } from '#/api/types'
import type { Kind, Request } from './types'

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: ({ signal }) => get<Request>(`/circulation/requests/${id}`, undefined, signal),
  })

export type QueueOf = 'item' | 'instance'

export const queueQuery = (of: QueueOf, id: string) =>
  queryOptions({
    queryKey: ['requests', 'queue', of, id],
    queryFn: async ({ signal }) => {
      const path = `/circulation/requests/queue/${of}/${id}`
      const { requests } = await get<{ requests: Request[] }>(path, undefined, signal)
      return requests.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
    },
    staleTime: 0,
  })

export const reorder = (of: QueueOf, id: string, ids: readonly string[]) =>
  post(`/circulation/requests/queue/${of}/${id}/reorder`, {
    reorderedQueue: ids.map((one, at) => ({ id: one, newPosition: at + 1 })),
  })

export const reasonsQuery = queryOptions({
  queryKey: ['cancellation-reasons'],
  queryFn: ({ signal }) =>
    allPages<Coded & { requiresAdditionalInformation?: boolean }>(
      '/cancellation-reason-storage/cancellation-reasons',
      'cancellationReasons',
      'cql.allRecords=1 sortby name',
      signal,
    ),
  staleTime: 10 * 60_000,
})

export type Allowed = Partial<Record<Kind, { id: string; name: string }[]>>

/** What the rules allow this person for the item or title, with the places to pick it up. */
export const allowedQuery = (requesterId: string, of: { itemId?: string; instanceId?: string }) =>
  queryOptions({
    queryKey: ['requests', 'allowed', requesterId, of],
    queryFn: ({ signal }) =>
      get<Allowed>(
        '/circulation/requests/allowed-service-points',
        { operation: 'create', requesterId, ...of },
        signal,
      ),
    staleTime: 0,
  })

/** What the rules allow the request to become: at another item, or where it is. */
export const allowedChangeQuery = (requestId: string, itemId?: string) =>
  queryOptions({
    queryKey: ['requests', 'allowed', requestId, itemId ?? ''],
    queryFn: ({ signal }) =>
      get<Allowed>(
        '/circulation/requests/allowed-service-points',
        itemId ? { operation: 'move', requestId, itemId } : { operation: 'replace', requestId },
        signal,
      ),
    staleTime: 0,
  })
