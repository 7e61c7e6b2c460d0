import { expect, test } from 'vitest'
import { noteLive, type Told } from './live'

const told = (id: string, seconds: number, requests: number): Told => ({
  id,
  seconds,
  report: { run: { totals: { requests, errors: 0, requests_per_s: 0 }, transactions: [] } },
})

test('the rate is what came since the last answer', () => {
  expect(noteLive(told('a', 2, 20)).at(-1)?.requestsPerSecond).toBe(10)
  expect(noteLive(told('a', 4, 120)).at(-1)?.requestsPerSecond).toBe(50)
})

test('an answer that is no newer adds nothing, and runs are kept apart', () => {
  noteLive(told('b', 5, 50))
  expect(noteLive(told('b', 5, 50))).toHaveLength(1)
  expect(noteLive({ id: 'c', seconds: 1 })).toHaveLength(0)
})
