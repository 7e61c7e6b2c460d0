// What the search box finds: commands by name, items and people by barcode, titles by words.
import { get } from '#/api/client'
import { all, anyOf, equals, quoted } from '#/api/cql'
import type { Item, User } from '#/api/types'
import { fullName } from '#/lib/names'
import type { IconName } from '#/ui/Icon'

export interface Hit {
  id: string
  group: 'item' | 'person' | 'title' | 'command'
  icon: IconName
  text: string
  detail?: string
  keys?: string
  disabled?: string
  target:
    | { kind: 'patron'; barcode: string }
    | { kind: 'instance'; id: string; item?: string }
    | { kind: 'inventory'; words: string }
    | { kind: 'authorities'; words: string }
    | { kind: 'command'; id: string }
}

const BARCODE = /^[\w.-]*\d[\w.-]*$/
/** No title is such a number; "1984" is one. */
const LONG_NUMBER = /^\d{6,}$/
const EACH_MAX = 5

export interface Allowed {
  users: boolean
  inventory: boolean
}

/** Asks the server; a part that fails or is not allowed gives nothing. */
export async function find(text: string, allowed: Allowed, signal: AbortSignal): Promise<Hit[]> {
  const words = text.trim()
  if (words.length < 2) return []
  const isCode = BARCODE.test(words)
  const parts = await Promise.all(
    [
      allowed.inventory && isCode ? items(words, signal) : [],
      allowed.users ? people(words, isCode, signal) : [],
      allowed.inventory && !LONG_NUMBER.test(words) ? titles(words, signal) : [],
    ].map((part) => Promise.resolve(part).catch(() => [] as Hit[])),
  )
  return parts.flat()
}

async function items(barcode: string, signal: AbortSignal): Promise<Hit[]> {
  const query = { query: equals('barcode', barcode), limit: EACH_MAX }
  const found = await get<{ items: Item[] }>('/inventory/items', query, signal)
  const titles = await titlesOf(found.items, signal)
  return found.items.map((item) => ({
    id: `item-${item.id}`,
    group: 'item',
    icon: 'scan-barcode',
    text: item.title ?? item.barcode ?? '',
    detail: [item.callNumber, item.status.name, item.effectiveLocation?.name]
      .filter(Boolean)
      .join(' · '),
    target: { kind: 'instance', id: titles.get(item.holdingsRecordId ?? '') ?? '', item: item.id },
  }))
}

/** The title of each item's holdings: items do not name it. */
async function titlesOf(items: readonly Item[], signal: AbortSignal) {
  if (!items.length) return new Map<string, string>()
  const query = anyOf(
    'id',
    items.flatMap((item) => item.holdingsRecordId ?? []),
  )
  const { holdingsRecords } = await get<{ holdingsRecords: { id: string; instanceId: string }[] }>(
    '/holdings-storage/holdings',
    { query, limit: items.length },
    signal,
  )
  return new Map(holdingsRecords.map((one) => [one.id, one.instanceId]))
}

async function people(words: string, isCode: boolean, signal: AbortSignal): Promise<Hit[]> {
  const keyword = words
    .split(/\s+/)
    .map((word) => `keywords=="*${word.replace(/[\\"*?^]/g, '\\$&')}*"`)
  const exact = `(${['barcode', 'externalSystemId', 'username'].map((index) => equals(index, words)).join(' or ')})`
  // A name may have figures in it, too.
  const query = isCode ? `${exact} or (${all(...keyword)})` : all(...keyword)
  const { users } = await get<{ users: User[] }>('/users', { query, limit: EACH_MAX }, signal)
  return users.flatMap((user): Hit[] =>
    user.barcode
      ? [
          {
            id: `user-${user.id}`,
            group: 'person',
            icon: 'user',
            text: fullName(user.personal ?? {}) || (user.username ?? ''),
            detail: user.barcode,
            target: { kind: 'patron', barcode: user.barcode },
          },
        ]
      : [],
  )
}

async function titles(words: string, signal: AbortSignal): Promise<Hit[]> {
  const query = { query: `keyword all ${quoted(words)}`, limit: EACH_MAX }
  const { instances } = await get<{
    instances: {
      id: string
      title: string
      contributors?: { name: string }[]
      publication?: { dateOfPublication?: string }[]
    }[]
  }>('/search/instances', query, signal)
  return instances.map((one) => ({
    id: `title-${one.id}`,
    group: 'title',
    icon: 'library',
    text: one.title,
    detail: [one.contributors?.[0]?.name, one.publication?.[0]?.dateOfPublication]
      .filter(Boolean)
      .join(' · '),
    target: { kind: 'instance', id: one.id },
  }))
}
