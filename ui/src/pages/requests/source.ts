// The list of requests: its state in the address, as CQL and as windows of rows.
import { get } from '#/api/client'
import { all, anyOf, quoted } from '#/api/cql'
import type { Request } from '#/requests/types'

export interface RequestsSearch {
  q?: string
  kind?: string[]
  status?: string[]
  level?: string[]
  pickup?: string[]
  /** A column's key, with a minus for descending. */
  sort?: string
}

/** Short words of the address for FOLIO's statuses. */
export const STATUS_OF: Record<string, string> = {
  waiting: 'Open - Not yet filled',
  shelf: 'Open - Awaiting pickup',
  transit: 'Open - In transit',
  delivery: 'Open - Awaiting delivery',
  filled: 'Closed - Filled',
  cancelled: 'Closed - Cancelled',
  unfilled: 'Closed - Unfilled',
  expired: 'Closed - Pickup expired',
}
export const OPEN = ['waiting', 'shelf', 'transit', 'delivery']

const SORTS: Record<string, string> = {
  date: 'requestDate',
  title: 'instance.title',
  kind: 'requestType',
  status: 'status',
  place: 'position',
}

export function cqlOf({ q, kind, status, level, pickup }: RequestsSearch): string {
  const words = q?.trim()
  const typed = words
    ? `(${[
        `instance.title all ${quoted(words)}`,
        `item.barcode==${quoted(words)}`,
        `requester.barcode==${quoted(words)}`,
        `requester.lastName all ${quoted(words)}`,
      ].join(' or ')})`
    : undefined
  const statuses = (status?.length ? status : OPEN).flatMap((one) => STATUS_OF[one] ?? [])
  return all(
    typed,
    anyOf('status', statuses),
    kind?.length ? anyOf('requestType', kind) : undefined,
    level?.length ? anyOf('requestLevel', level) : undefined,
    pickup?.length ? anyOf('pickupServicePointId', pickup) : undefined,
  )
}

export function sortOf(sort = 'date'): string {
  const key = SORTS[sort.replace(/^-/, '')] ?? 'requestDate'
  return sort.startsWith('-') ? `${key}/sort.descending` : key
}

/** The list for a file: requests of one moment stay in their order, so that none is read twice. */
export const everyRequest =
  (search: RequestsSearch) => async (offset: number, limit: number, signal: AbortSignal) => {
    const query = `${cqlOf(search)} sortby ${sortOf(search.sort)} id`
    const { requests, totalRecords } = await get<{ requests: Request[]; totalRecords: number }>(
      '/circulation/requests',
      { query, offset, limit },
      signal,
    )
    return { rows: requests, total: totalRecords }
  }

export const requestsSource = (search: RequestsSearch) => ({
  key: ['requests', 'list', search] as const,
  load: async (offset: number, limit: number, signal: AbortSignal) => {
    const query = `${cqlOf(search)} sortby ${sortOf(search.sort)}`
    const { requests, totalRecords } = await get<{ requests: Request[]; totalRecords: number }>(
      '/circulation/requests',
      { query, offset, limit },
      signal,
    )
    return { rows: requests, total: totalRecords }
  },
})

export async function countRequests(search: RequestsSearch, signal: AbortSignal): Promise<number> {
  const query = { query: cqlOf(search), limit: 0 }
  return (await get<{ totalRecords: number }>('/circulation/requests', query, signal)).totalRecords
}
