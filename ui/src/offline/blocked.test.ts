import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { blockedCard, fetchBlocked, learnBlocked } from './blocked'
import { forget } from './known'

const get = vi.hoisted(() => vi.fn())
vi.mock('#/api/client', () => ({ get }))
vi.mock('#/api/session', () => ({ session: { tenant: 't' } }))

const HOUR = 3600_000
/** A server with 1,001 blocked patrons: u0 with card c0 and so on. */
function serve(count = 1001) {
  const blocks = Array.from({ length: count }, (_, at) => ({
    userId: `u${at}`,
    desc: `why ${at}`,
    ...(at === 1 ? { expirationDate: new Date(Date.now() - 1000).toISOString() } : {}),
  }))
  get.mockImplementation((path: string, query: { query: string; offset: number }) => {
    if (path === '/manualblocks')
      return Promise.resolve({ manualblocks: blocks.slice(query.offset, query.offset + 1000) })
    const ids = query.query.match(/u\d+/g) ?? []
    return Promise.resolve({ users: ids.map((id) => ({ id, barcode: id.replace('u', 'c') })) })
  })
}

beforeEach(async () => {
  get.mockReset()
  await forget()
})

test('all pages of manual blocks are kept by card, and one that has ended counts no more', async () => {
  serve()
  await fetchBlocked()
  expect((await blockedCard('c0'))?.blocks).toEqual([{ why: 'why 0', until: undefined }])
  expect((await blockedCard('c1000'))?.blocks[0]?.why).toBe('why 1000')
  expect(await blockedCard('c1')).toBeUndefined()
  expect(await blockedCard('other')).toBeUndefined()
})

test('the list is fetched once an hour', async () => {
  serve(1)
  const now = Date.now()
  await fetchBlocked(now)
  get.mockClear()
  await fetchBlocked(now + HOUR - 1)
  expect(get).not.toHaveBeenCalled()
  await fetchBlocked(now + HOUR)
  expect(get).toHaveBeenCalled()
})

test('a list that could not be fetched leaves the one before', async () => {
  serve(1)
  const now = Date.now()
  await fetchBlocked(now)
  get.mockRejectedValue(new Error('away'))
  await expect(fetchBlocked(now + HOUR)).rejects.toThrow('away')
  expect(await blockedCard('c0')).toBeDefined()
})

test('what was said of a card here counts until a later list', async () => {
  serve(1)
  const now = Date.now()
  await fetchBlocked(now - 10_000)
  await learnBlocked('c0', [])
  expect(await blockedCard('c0')).toBeUndefined()
  await learnBlocked('c7', ['Maximum of overdue items'])
  expect((await blockedCard('c7'))?.blocks[0]?.why).toBe('Maximum of overdue items')
  await fetchBlocked(now + HOUR)
  expect(await blockedCard('c0')).toBeDefined()
  // An automated block stands in no list.
  expect(await blockedCard('c7')).toBeDefined()
})
