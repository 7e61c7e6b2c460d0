// What pages about people read: the user, the lists that its fields point into, and what hangs on the user.
import { queryOptions } from '@tanstack/react-query'
import { allPages } from '#/api/allPages'
import { get } from '#/api/client'
import { all, anyOf, equals } from '#/api/cql'
import { failureOf } from '#/api/errors'
import type { Coded, Id, User } from '#/api/types'
import type { AutomatedBlock, CustomField, ManualBlock, Patron, ProxyFor, StaffNote } from './types'

const LONG_MS = 10 * 60_000
const NOTES = 200
const EVERYTHING = 'cql.allRecords=1'

export const patronQuery = (id: string) =>
  queryOptions({
    queryKey: ['patrons', id, 'user'],
    queryFn: ({ signal }) => get<Patron>(`/users/${id}`, undefined, signal),
  })

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) =>
    allPages<Id & { group: string; expirationOffsetInDays?: number }>(
      '/groups',
      'usergroups',
      `${EVERYTHING} sortby group`,
      signal,
    ),
  staleTime: LONG_MS,
})

export const departmentsQuery = queryOptions({
  queryKey: ['departments'],
  queryFn: ({ signal }) =>
    allPages<Coded>('/departments', 'departments', `${EVERYTHING} sortby name`, signal),
  staleTime: LONG_MS,
})

export const addressTypesQuery = queryOptions({
  queryKey: ['address-types'],
  queryFn: ({ signal }) =>
    allPages<Id & { addressType: string }>(
      '/addresstypes',
      'addressTypes',
      `${EVERYTHING} sortby addressType`,
      signal,
    ),
  staleTime: LONG_MS,
})

export const customFieldsQuery = queryOptions({
  queryKey: ['custom-fields', 'user'],
  queryFn: async ({ signal }) => {
    const fields = await allPages<CustomField>(
      '/custom-fields',
      'customFields',
      `${equals('entityType', 'user')} sortby order`,
      signal,
    )
    return fields.filter((one) => one.visible !== false)
  },
  staleTime: LONG_MS,
})

export const blocksQuery = (userId: string) =>
  queryOptions({
    queryKey: ['patrons', userId, 'blocks'],
    queryFn: async ({ signal }) => {
      const [manual, automated] = await Promise.all([
        allPages<ManualBlock>('/manualblocks', 'manualblocks', equals('userId', userId), signal),
        optional(
          async () =>
            (
              await get<{ automatedPatronBlocks: AutomatedBlock[] }>(
                `/automated-patron-blocks/${userId}`,
                undefined,
                signal,
              )
            ).automatedPatronBlocks,
          [],
        ),
      ])
      return { manual, automated }
    },
  })

export const notesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['patrons', userId, 'notes'],
    queryFn: ({ signal }) => linkedNotes(userId, signal),
  })

/** FOLIO has a list of its own for the notes of one record. */
async function linkedNotes(userId: string, signal: AbortSignal): Promise<StaffNote[]> {
  const path = `/note-links/domain/users/type/user/id/${userId}`
  const found: StaffNote[] = []
  for (;;) {
    const query = { status: 'ASSIGNED', limit: NOTES, offset: found.length }
    const { notes } = await get<{ notes: StaffNote[] }>(path, query, signal)
    found.push(...notes)
    if (notes.length < NOTES) return found
  }
}

export const noteTypesQuery = queryOptions({
  queryKey: ['note-types'],
  queryFn: ({ signal }) =>
    allPages<Coded>('/note-types', 'noteTypes', `${EVERYTHING} sortby name`, signal),
  staleTime: LONG_MS,
})

/** Who may act for the user, and for whom the user may act; with their names. */
export const proxiesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['patrons', userId, 'proxies'],
    queryFn: async ({ signal }) => {
      const query = `${equals('userId', userId)} or ${equals('proxyUserId', userId)}`
      const links = await allPages<ProxyFor>('/proxiesfor', 'proxiesFor', query, signal)
      const ids = links.map((one) => (one.userId === userId ? one.proxyUserId : one.userId))
      const people = await usersByIds(ids, signal)
      return links.map((link) => ({
        ...link,
        isSponsor: link.userId !== userId,
        other: people.get(link.userId === userId ? link.proxyUserId : link.userId),
      }))
    },
  })

export async function usersByIds(
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, User>> {
  if (!ids.length) return new Map()
  const users = await allPages<User>('/users', 'users', anyOf('id', [...new Set(ids)]), signal)
  return new Map(users.map((user) => [user.id, user]))
}

/** The figures of the tabs. What the person may not read has none. */
export const figuresQuery = (userId: string) =>
  queryOptions({
    queryKey: ['patrons', userId, 'figures'],
    queryFn: async ({ signal }) => {
      const count = async (path: string, query: string) =>
        (await get<{ totalRecords: number }>(path, { query, limit: 0 }, signal)).totalRecords
      const open = all(equals('userId', userId), equals('status.name', 'Open'))
      const [loans, requests, accounts] = await Promise.all([
        optional(() => count('/circulation/loans', open), undefined),
        optional(
          () =>
            count('/circulation/requests', `${equals('requesterId', userId)} and status=="Open*"`),
          undefined,
        ),
        optional(
          () =>
            allPages<{ remaining: number; paymentStatus?: { name: string } }>(
              '/accounts',
              'accounts',
              open,
              signal,
            ),
          undefined,
        ),
      ])
      const owed = accounts
        ?.filter((one) => one.paymentStatus?.name !== 'Suspended claim returned')
        .reduce((sum, one) => sum + Math.round(one.remaining * 100), 0)
      return { loans, requests, owed: owed === undefined ? undefined : owed / 100 }
    },
  })

/** A part that the person may not read is left out. Other failures are failures. */
export async function optional<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const { kind } = failureOf(error)
    if (kind === 'forbidden') return otherwise
    throw error
  }
}

/** People by words of name, card number, user name or id. */
export async function findPeople(words: string, signal?: AbortSignal): Promise<User[]> {
  const { users } = await get<{ users: User[] }>(
    '/users',
    { query: `${peopleQuery(words)} sortby personal.lastName personal.firstName`, limit: 20 },
    signal,
  )
  return users
}

export const peopleQuery = (words: string): string =>
  words.trim()
    ? all(
        ...words
          .trim()
          .split(/\s+/)
          .map((word) => `keywords=="*${word.replace(/[\\"*?^]/g, '\\$&')}*"`),
      )
    : EVERYTHING
