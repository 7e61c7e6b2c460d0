import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiFailure } from '#/api/errors'
import { DeskSession } from './session'
import type { Answered, Scan } from './types'

const done: Answered = { state: 'done', item: { title: 'T' } }
let key = 0
const nextKey = () => {
  key += 1
  return key
}
const session = (ask: (scan: Scan) => Promise<Answered>, width = 1) =>
  new DeskSession({ key: `test-${nextKey()}`, ask, width })
const states = (desk: DeskSession) =>
  desk.snapshot().scans.map((scan) => `${scan.barcode} ${scan.state}`)

beforeEach(() => void vi.useRealTimers())

test('every scan of a burst is asked once, in order', async () => {
  const asked: string[] = []
  const desk = session(async (scan) => {
    asked.push(scan.barcode)
    await new Promise((resolve) => setTimeout(resolve, 1))
    return done
  })
  const codes = Array.from({ length: 200 }, (_, at) => `b${at}`)
  for (const code of codes) desk.scan(code)
  expect(desk.snapshot().scans).toHaveLength(200)
  await vi.waitFor(
    () => expect(desk.snapshot().scans.every((scan) => scan.state === 'done')).toBe(true),
    5000,
  )
  expect(asked).toEqual(codes)
})

test('a question waits in its row while later scans go on', async () => {
  const desk = session(async (scan) =>
    scan.barcode === 'q' && !scan.answers.confirmed
      ? { state: 'question', questions: [{ kind: 'notes', notes: ['n'] }] }
      : done,
  )
  desk.scan('q')
  desk.scan('a')
  await vi.waitFor(() => expect(states(desk)).toEqual(['a done', 'q question']))
  desk.answer(desk.snapshot().scans[1]?.id ?? '', { confirmed: ['notes'] })
  await vi.waitFor(() => expect(states(desk)).toEqual(['a done', 'q done']))
})

test('two questions of one scan are answered one after the other, then the server is asked once', async () => {
  let asked = 0
  const desk = session(async (scan) => {
    asked += 1
    return scan.answers.confirmed?.length === 2
      ? done
      : {
          state: 'question',
          questions: [
            { kind: 'notes', notes: ['n'] },
            { kind: 'pieces', count: '3' },
          ],
        }
  })
  const { id } = desk.scan('q')
  await vi.waitFor(() => expect(states(desk)).toEqual(['q question']))
  desk.answer(id, { confirmed: ['notes'] })
  expect(states(desk)).toEqual(['q question'])
  desk.answer(id, { confirmed: ['pieces'] })
  await vi.waitFor(() => expect(states(desk)).toEqual(['q done']))
  expect(asked).toBe(2)
})

test('a server that is away loses no scan and changes no order', async () => {
  vi.useFakeTimers()
  let away = true
  const asked: string[] = []
  const desk = session(async (scan) => {
    if (away) throw new ApiFailure({ kind: 'unreachable' })
    asked.push(scan.barcode)
    return done
  })
  desk.scan('a')
  desk.scan('b')
  await vi.advanceTimersByTimeAsync(100)
  expect(states(desk)).toEqual(['b waiting', 'a waiting'])
  away = false
  await vi.advanceTimersByTimeAsync(4000)
  expect(states(desk)).toEqual(['b done', 'a done'])
  expect(asked).toEqual(['a', 'b'])
})

test('one barcode scanned twice is never asked at the same time', async () => {
  let together = 0
  let most = 0
  const desk = session(async () => {
    together += 1
    most = Math.max(most, together)
    await new Promise((resolve) => setTimeout(resolve, 5))
    together -= 1
    return done
  }, 4)
  desk.scan('a')
  desk.scan('a')
  await vi.waitFor(() => expect(states(desk)).toEqual(['a done', 'a done']))
  expect(most).toBe(1)
})

test('a session is restored, and what was being asked is asked again', async () => {
  const name = `kept-${nextKey()}`
  const first = new DeskSession({ key: name, ask: () => new Promise(() => {}), width: 1 })
  await first.restore()
  first.scan('a')
  await new Promise((resolve) => setTimeout(resolve, 50))
  first.stop()
  const second = new DeskSession({ key: name, ask: async () => done, width: 1 })
  await second.restore()
  await vi.waitFor(() => expect(states(second)).toEqual(['a done']))
})

test('a refusal of the server stays in the row with its words', async () => {
  const desk = session(async () => {
    throw new ApiFailure({ kind: 'fault', status: 500, text: 'disk full' })
  })
  desk.scan('a')
  await vi.waitFor(() => expect(states(desk)).toEqual(['a refused']))
  expect(desk.snapshot().scans[0]?.refusal).toEqual({
    reason: 'desk.serverFault',
    detail: 'disk full',
  })
})
