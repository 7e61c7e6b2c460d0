// The list of users: its state in the address, as CQL and as windows of rows.
import { get } from '#/api/client'
import { all, anyOf } from '#/api/cql'
import type { User } from '#/api/types'
import { peopleQuery } from '#/patrons/queries'

export interface UsersSearch {
  q?: string
  status?: 'active' | 'inactive'
  group?: string[]
  /** A column's key, with a minus for descending. */
  sort?: string
}

const SORTS: Record<string, string> = {
  name: 'personal.lastName personal.firstName',
  barcode: 'barcode',
  username: 'username',
  email: 'personal.email',
  expires: 'expirationDate',
}

export function cqlOf({ q = '', status, group }: UsersSearch): string {
  const people = peopleQuery(q)
  return all(
    people,
    status ? `active==${status === 'active' ? '"true"' : '"false"'}` : undefined,
    group?.length ? anyOf('patronGroup', group) : undefined,
  )
}

export function sortOf(sort = 'name'): string {
  const keys = SORTS[sort.replace(/^-/, '')] ?? SORTS.name ?? ''
  if (!sort.startsWith('-')) return keys
  return keys
    .split(' ')
    .map((key) => `${key}/sort.descending`)
    .join(' ')
}

export const usersSource = (search: UsersSearch) => ({
  key: ['users', 'list', search] as const,
  load: async (offset: number, limit: number, signal: AbortSignal) => {
    const query = `${cqlOf(search)} sortby ${sortOf(search.sort)}`
    const { users, totalRecords } = await get<{ users: User[]; totalRecords: number }>(
      '/users',
      { query, offset, limit },
      signal,
    )
    return { rows: users, total: totalRecords }
  },
})

export async function countUsers(search: UsersSearch, signal: AbortSignal): Promise<number> {
  const query = { query: cqlOf(search), limit: 0 }
  return (await get<{ totalRecords: number }>('/users', query, signal)).totalRecords
}
