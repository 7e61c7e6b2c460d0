import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { Queue } from './queue'
import { store } from './store'
import type { Entry, EntryKind, Result } from './types'
import { sendAll } from './upload'

const entry = (id: string, at: number, kind: EntryKind = 'checkOut', tenant = 't'): Entry => ({
  version: 1,
  id,
  kind,
  at,
  itemBarcode: `i-${id}`,
  userBarcode: 'p',
  tenant,
  desk: { id: 'd', name: 'Desk' },
  staff: { id: 's', name: 'Staff' },
})
const accepted = (one: Entry): Result => ({ id: one.id, state: 'accepted', at: 1 })

beforeEach(async () => {
  const db = await store()
  await Promise.all([db.clear('entries'), db.clear('results')])
})

test('kept scans are sent in the order of their times, each once', async () => {
  const queue = new Queue()
  for (const [id, at] of [
    ['c', 3],
    ['a', 1],
    ['b', 2],
  ] as const)
    await queue.add(entry(id, at))
  const sent: string[] = []
  const send = async (one: Entry) => {
    sent.push(one.id)
    return accepted(one)
  }
  expect(await sendAll(queue, 't', send)).toEqual({ accepted: 3, refused: 0 })
  expect(await sendAll(queue, 't', send)).toEqual({ accepted: 0, refused: 0 })
  expect(sent).toEqual(['a', 'b', 'c'])
})

test('a scan that is not answered stays, and those after it wait', async () => {
  const queue = new Queue()
  for (const at of [1, 2, 3]) await queue.add(entry(String(at), at))
  let away = true
  const sent: string[] = []
  const send = async (one: Entry) => {
    sent.push(one.id)
    return one.id === '2' && away ? undefined : accepted(one)
  }
  await sendAll(queue, 't', send)
  expect(queue.snapshot().map(({ state }) => state)).toEqual(['accepted', 'kept', 'kept'])
  away = false
  await sendAll(queue, 't', send)
  expect(sent).toEqual(['1', '2', '2', '3'])
})

test('a refusal does not hold up the others, and is sent again with the answers given', async () => {
  const queue = new Queue()
  for (const at of [1, 2]) await queue.add(entry(String(at), at))
  const send = async (one: Entry, before: Result | undefined): Promise<Result> =>
    one.id === '1' && !before?.answers
      ? { id: one.id, state: 'refused', at: 1, refusal: { reason: undefined, detail: 'no' } }
      : accepted(one)
  expect(await sendAll(queue, 't', send)).toEqual({ accepted: 1, refused: 1 })
  const answers = { override: { blocks: ['patronBlock' as const], comment: 'pays' } }
  await queue.settle({ id: '1', state: 'ready', at: 2, answers })
  expect(await sendAll(queue, 't', send)).toEqual({ accepted: 1, refused: 0 })
})

test('a return waits on the pile until somebody checks it in', async () => {
  const queue = new Queue()
  await queue.add(entry('r', 1, 'checkIn'))
  const send = async (one: Entry) => accepted(one)
  await sendAll(queue, 't', send)
  expect(queue.snapshot()[0]?.state).toBe('aside')
  await queue.settle({ id: 'r', state: 'ready', at: 2 })
  await sendAll(queue, 't', send)
  expect(queue.snapshot()[0]?.state).toBe('accepted')
})

test('scans of another library are not sent to this one', async () => {
  const queue = new Queue()
  await queue.add(entry('x', 1, 'checkOut', 'other'))
  expect(await sendAll(queue, 't', async (one) => accepted(one))).toEqual({
    accepted: 0,
    refused: 0,
  })
})

test('what another tab has sent meanwhile is not sent again', async () => {
  const [one, other] = [new Queue(), new Queue()]
  for (const at of [1, 2]) await one.add(entry(String(at), at))
  const sent: string[] = []
  await sendAll(one, 't', async (scan) => {
    sent.push(scan.id)
    if (scan.id === '1') await other.settle({ id: '2', state: 'accepted', at: 1 })
    return accepted(scan)
  })
  expect(sent).toEqual(['1'])
})

test('the same id is never kept twice', async () => {
  const queue = new Queue()
  await queue.add(entry('a', 1))
  await expect(queue.add(entry('a', 2))).rejects.toThrow()
  expect((await queue.read()).map(({ entry: { at } }) => at)).toEqual([1])
})
