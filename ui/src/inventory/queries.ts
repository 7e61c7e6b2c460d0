// The records of one title, and what circulates of it.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'
import { all, anyOf, equals } from '#/api/cql'
import type { Item, Loan, Request } from '#/api/types'
import type { Holdings, Instance, StoredItem } from './types'

export const instanceQuery = (id: string) =>
  queryOptions({
    queryKey: ['instance', id],
    queryFn: ({ signal }) => get<Instance>(`/inventory/instances/${id}`, undefined, signal),
  })

const HOLDINGS_PART = 500

export const holdingsQuery = (instanceId: string) =>
  queryOptions({
    queryKey: ['instance', instanceId, 'holdings'],
    queryFn: async ({ signal }) => {
      const found: Holdings[] = []
      for (;;) {
        const query = equals('instanceId', instanceId)
        const asked = { query: `${query} sortby hrid`, limit: HOLDINGS_PART, offset: found.length }
        const { holdingsRecords } = await get<{ holdingsRecords: Holdings[] }>(
          '/holdings-storage/holdings',
          asked,
          signal,
        )
        found.push(...holdingsRecords)
        if (holdingsRecords.length < HOLDINGS_PART) return found
      }
    },
  })

export const holdingsRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ['holdings', id],
    queryFn: ({ signal }) => get<Holdings>(`/holdings-storage/holdings/${id}`, undefined, signal),
  })

export interface ItemPart {
  items: Item[]
  totalRecords: number
}

export const ITEMS_PART = 100

/** Items of a holdings record, in the order of the shelf, a part after the other. */
export const itemsQuery = (holdingsId: string) =>
  infiniteQueryOptions({
    queryKey: ['holdings', holdingsId, 'items'],
    queryFn: ({ signal, pageParam }) => {
      const query = `${equals('holdingsRecordId', holdingsId)} sortby effectiveShelvingOrder`
      const asked = { query, limit: ITEMS_PART, offset: pageParam }
      return get<ItemPart>('/inventory/items', asked, signal)
    },
    initialPageParam: 0,
    getNextPageParam: (last: ItemPart, parts: ItemPart[]) => {
      const seen = parts.reduce((sum, part) => sum + part.items.length, 0)
      return last.items.length && seen < last.totalRecords ? seen : undefined
    },
  })

export const storedItemQuery = (id: string) =>
  queryOptions({
    queryKey: ['item', id],
    queryFn: ({ signal }) => get<StoredItem>(`/item-storage/items/${id}`, undefined, signal),
  })

const REQUESTS_PART = 500

/** Open requests of a title, the oldest first. */
export const requestsQuery = (instanceId: string) =>
  queryOptions({
    queryKey: ['instance', instanceId, 'requests'],
    queryFn: async ({ signal }) => {
      const found: Request[] = []
      for (;;) {
        const query = `${all(equals('instanceId', instanceId), 'status="Open"')} sortby requestDate`
        const asked = { query, limit: REQUESTS_PART, offset: found.length }
        const { requests } = await get<{ requests: Request[] }>(
          '/circulation/requests',
          asked,
          signal,
        )
        found.push(...requests)
        if (requests.length < REQUESTS_PART) return found
      }
    },
  })

/** Open loans of these items, by item. */
export const loansQuery = (itemIds: readonly string[]) =>
  queryOptions({
    queryKey: ['loans-of', ...itemIds],
    queryFn: async ({ signal }) => {
      const query = all(anyOf('itemId', itemIds), equals('status.name', 'Open'))
      const { loans } = await get<{ loans: Loan[] }>(
        '/circulation/loans',
        { query, limit: itemIds.length },
        signal,
      )
      return new Map(loans.map((loan) => [loan.itemId, loan]))
    },
    enabled: itemIds.length > 0,
  })
