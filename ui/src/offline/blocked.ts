// Cards that may not borrow, for the desk without the server: all manual blocks, fetched each hour while lending
// is open, and what the server last said of each card that was scanned here (it lists no automated blocks;
// it reckons them for one patron at a time). Kept with what is forgotten at log-out.
import { get } from '#/api/client'
import { anyOf } from '#/api/cql'
import type { Manualblocks } from '#/api/schema'
import { session } from '#/api/session'
import type { User } from '#/api/types'
import { keepKnown, readKnown } from './known'

const HOUR_MS = 3600_000
const PAGE = 1000
/** So many ids still fit into an address. */
const IDS = 50

export interface Block {
  why: string
  /** A block that has an end. */
  until?: string
}

export interface BlockedCard {
  blocks: Block[]
  /** When the server said so. */
  at: number
}

type Cards = Record<string, BlockedCard>
interface Listed {
  at: number
  cards: Cards
}

const listKey = () => `${session.tenant}:blocked`
const seenKey = () => `${session.tenant}:blocked-here`

/** Does nothing where the list is younger than an hour. */
export async function fetchBlocked(now = Date.now()): Promise<void> {
  const kept = await readKnown<Listed>(listKey())
  if (kept && now - kept.at < HOUR_MS) return
  await keepKnown(listKey(), { at: now, cards: await cardsOf(await allBlocks(), now) })
}

/** What the server says of a card here and now: also that it is free again. */
export async function learnBlocked(barcode: string, reasons: readonly string[]): Promise<void> {
  const seen = (await readKnown<Cards>(seenKey())) ?? {}
  const card: BlockedCard = { blocks: reasons.map((why) => ({ why })), at: Date.now() }
  await keepKnown(seenKey(), { ...seen, [barcode]: card })
}

export async function blockedCard(barcode: string): Promise<BlockedCard | undefined> {
  const [seen, listed] = await Promise.all([
    readKnown<Cards>(seenKey()),
    readKnown<Listed>(listKey()),
  ])
  const [here, all] = [seen?.[barcode], listed?.cards[barcode]]
  // The later word counts; both have the manual blocks.
  const card = here && here.at >= (listed?.at ?? 0) ? here : (all ?? here)
  const blocks = card?.blocks.filter(({ until }) => !until || Date.parse(until) > Date.now())
  return card && blocks?.length ? { ...card, blocks } : undefined
}

async function allBlocks(): Promise<Manualblocks[]> {
  const all: Manualblocks[] = []
  for (;;) {
    const { manualblocks } = await get<{ manualblocks: Manualblocks[] }>('/manualblocks', {
      query: 'borrowing==true',
      limit: PAGE,
      offset: all.length,
    })
    all.push(...manualblocks)
    if (manualblocks.length < PAGE) return all
  }
}

async function cardsOf(blocks: readonly Manualblocks[], at: number): Promise<Cards> {
  const byUser = new Map<string, Manualblocks[]>()
  for (const block of blocks) byUser.set(block.userId, [...(byUser.get(block.userId) ?? []), block])
  const ids = [...byUser.keys()]
  const cards: Cards = {}
  for (let from = 0; from < ids.length; from += IDS) {
    const some = ids.slice(from, from + IDS)
    const { users } = await get<{ users: User[] }>('/users', {
      query: anyOf('id', some),
      limit: IDS,
    })
    for (const { id, barcode } of users) {
      const own = byUser.get(id) ?? []
      if (barcode) cards[barcode] = { at, blocks: own.map(blockOf) }
    }
  }
  return cards
}

const blockOf = ({ desc, expirationDate }: Manualblocks): Block => ({
  why: desc,
  until: expirationDate,
})
