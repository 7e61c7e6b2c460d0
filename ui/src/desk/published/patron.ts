// The patron's card from FOLIO's published routes: the person first, the rest of the card at once after.
import { get } from '#/api/client'
import { all, equals } from '#/api/cql'
import type { Account, PatronBlock, Request, User } from '#/api/types'
import { plain } from '#/lib/plain'
import { isUuid } from '#/lib/uuid'
import { sum } from './item'

export interface PatronCard {
  user: User
  group?: string
  openLoans: number
  owed: number
  openRequests: number
  blocks: string[]
  waiting: Waiting[]
  notes: { text: string; title?: string }[]
  /** Those for whom the patron may borrow. */
  sponsors: { id: string; barcode: string; name: string; until?: string }[]
}

export interface Waiting {
  id: string
  title: string
  until?: string
}

const IDENTIFIERS = ['barcode', 'externalSystemId', 'username', 'id'] as const

/** The person with this card number, external id, user name or id; undefined when there is none. */
export async function findPatron(identifier: string): Promise<User | undefined> {
  const indexes = IDENTIFIERS.filter((index) => index !== 'id' || isUuid(identifier))
  const query = { query: indexes.map((index) => equals(index, identifier)).join(' or '), limit: 2 }
  const { users } = await get<{ users: User[] }>('/users', query)
  return users[0]
}

export async function patronCard(user: User, servicePointId: string): Promise<PatronCard> {
  const open = all(equals('userId', user.id), equals('status.name', 'Open'))
  const [group, openLoans, accounts, requests, waiting, automated, manual, notes, sponsors] =
    await Promise.all([
      part(() => groupOf(user.patronGroup), undefined),
      part(() => count('/circulation/loans', open), 0),
      part(
        async () =>
          (await get<{ accounts: Account[] }>('/accounts', { query: open, limit: 1000 })).accounts,
        [],
      ),
      part(() => count('/circulation/requests', `requesterId==${user.id} and status=="Open*"`), 0),
      part(() => waitingFor(user.id, servicePointId), []),
      part(() => automatedBlocks(user.id), []),
      part(() => manualBlocks(user.id), []),
      part(() => popUpNotes(user.id), []),
      part(() => sponsorsOf(user.id), []),
    ])
  return {
    user,
    group,
    openLoans,
    owed: sum(accounts),
    openRequests: requests,
    blocks: [...manual, ...automated],
    waiting,
    notes,
    sponsors,
  }
}

/** A part that the person may not read, or that this FOLIO does not have, is left out of the card. */
async function part<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read()
  } catch {
    return otherwise
  }
}

async function count(path: string, query: string): Promise<number> {
  return (await get<{ totalRecords: number }>(path, { query, limit: 0 })).totalRecords
}

async function groupOf(id: string | undefined): Promise<string | undefined> {
  return id ? (await get<{ group?: string }>(`/groups/${id}`)).group : undefined
}

async function waitingFor(userId: string, servicePointId: string): Promise<Waiting[]> {
  const query = all(
    equals('requesterId', userId),
    equals('pickupServicePointId', servicePointId),
    equals('status', 'Open - Awaiting pickup'),
  )
  const { requests } = await get<{ requests: Request[] }>('/circulation/requests', {
    query,
    limit: 50,
  })
  return requests.map((one) => ({
    id: one.id,
    title: one.instance?.title ?? '',
    until: one.holdShelfExpirationDate,
  }))
}

async function automatedBlocks(userId: string): Promise<string[]> {
  const answer = await get<{ automatedPatronBlocks: PatronBlock[] }>(
    `/automated-patron-blocks/${userId}`,
  )
  return answer.automatedPatronBlocks
    .filter((one) => one.blockBorrowing)
    .map((one) => one.message ?? '')
}

async function manualBlocks(userId: string): Promise<string[]> {
  const query = { query: equals('userId', userId), limit: 100 }
  const { manualblocks } = await get<{ manualblocks: PatronBlock[] }>('/manualblocks', query)
  const now = Date.now()
  return manualblocks
    .filter((one) => one.borrowing && !(one.expirationDate && Date.parse(one.expirationDate) < now))
    .map((one) => one.desc ?? '')
}

async function popUpNotes(userId: string): Promise<PatronCard['notes']> {
  const { notes } = await get<{
    notes: { title?: string; content?: string; popUpOnCheckOut?: boolean }[]
  }>(`/note-links/domain/users/type/user/id/${userId}`, { status: 'ASSIGNED', limit: 50 })
  return notes
    .filter((one) => one.popUpOnCheckOut)
    .map((one) => ({ title: one.title, text: plain(one.content ?? '') }))
}

async function sponsorsOf(userId: string): Promise<PatronCard['sponsors']> {
  const query = { query: all(equals('proxyUserId', userId), equals('status', 'Active')), limit: 50 }
  const { proxiesFor } = await get<{ proxiesFor: { userId: string; expirationDate?: string }[] }>(
    '/proxiesfor',
    query,
  )
  const found = await Promise.all(
    proxiesFor.map(async ({ userId: id, expirationDate }) => {
      const user = await get<User>(`/users/${id}`)
      const { firstName, lastName } = user.personal ?? {}
      return {
        id,
        barcode: user.barcode ?? '',
        name: [firstName, lastName].filter(Boolean).join(' '),
        until: expirationDate,
      }
    }),
  )
  return found.filter((one) => one.barcode)
}
