import { expect, test } from 'vitest'
import type { Run, Statistics } from './run'
import { changeOf, lastChanges, loadsOf, measuredOf, namesOf } from './trends'

const statistics = (p50: number, p95: number, spread = 0.01): Statistics => ({
  samples: 100,
  errors: 0,
  average_ms: p50,
  p50_ms: p50,
  p75_ms: p50,
  p95_ms: p95,
  p99_ms: p95,
  maximum_ms: p95,
  p50_interval_ms: [p50 * (1 - spread), p50 * (1 + spread)],
  p95_interval_ms: [p95 * (1 - spread), p95 * (1 + spread)],
})

const run = (day: number, times: Statistics, more: Partial<Run> = {}): Run => ({
  format: 2,
  workload: 'check-in-check-out',
  server: 'http://127.0.0.1:9130',
  tenant: 'diku',
  started_at: `2026-11-0${day}T08:00:00Z`,
  virtual_users: 20,
  measured_s: 60,
  arrival: 'closed loop',
  think_time: 'plan',
  totals: { requests: 1000, errors: 0, requests_per_s: 10 },
  transactions: [
    { name: 'Check-In', statistics: times, requests: [{ label: 'POST', statistics: times }] },
  ],
  other_requests: [],
  ...more,
})

const measured = (day: number, times: Statistics, more?: Partial<Run>) =>
  measuredOf(`run${day}`, run(day, times, more))

test('a change is marked from five per cent on, where the intervals lie apart', () => {
  const times = (p50: number, spread?: number) =>
    measured(1, statistics(p50, p50 * 2, spread)).of.get('Check-In')
  const slower = changeOf(times(100), times(112), 'p50')
  expect(slower?.by).toBeCloseTo(0.12)
  expect(slower?.isMarked).toBe(true)
  expect(changeOf(times(100), times(80), 'p95')?.isMarked).toBe(true)
  expect(changeOf(times(100), times(104), 'p50')?.isMarked).toBe(false)
  expect(changeOf(times(100, 0.2), times(112, 0.2), 'p50')?.isMarked).toBe(false)
  expect(changeOf(undefined, times(100), 'p50')).toBeUndefined()
})

test('nothing is called more than chance where a record has no intervals', () => {
  const bare = { ...statistics(100, 200), p50_interval_ms: undefined }
  const before = measured(1, bare).of.get('Check-In')
  const after = measured(2, statistics(300, 600)).of.get('Check-In')
  expect(changeOf(before, after, 'p50')).toMatchObject({ isMarked: false })
})

test('runs under another load are apart, each once, the load of the last run first', () => {
  const loads = loadsOf([
    measured(5, statistics(1, 2)),
    measured(3, statistics(1, 2), { virtual_users: 50 }),
    measured(1, statistics(1, 2)),
    { ...measured(1, statistics(1, 2)), id: 'the same from its file' },
    measured(4, statistics(1, 2), { think_time: 'none' }),
    measured(2, statistics(1, 2), { arrival: 'open' }),
  ])
  expect(loads.map(({ id }) => id)).toEqual(['20 plan', '20 none', '50 plan', '20 plan open'])
  expect(loads[0]?.runs.map(({ id }) => id)).toEqual(['run1', 'run5'])
})

test('the last run is compared with the last one before it that has the name', () => {
  const runs = [
    measured(1, statistics(100, 200)),
    measured(2, statistics(1, 1), { transactions: [] }),
    measured(3, statistics(150, 200)),
  ]
  expect(lastChanges(runs).map(({ name, percentile, by }) => [name, percentile, by])).toEqual([
    ['Check-In', 'p50', 0.5],
    ['POST', 'p50', 0.5],
  ])
  expect(namesOf(runs)).toEqual(['Check-In', 'POST'])
})

test('the version is the one that the probes found', () => {
  const infrastructure: [string, string][] = [
    ['kernel', '6'],
    ['server version', '0.2.0'],
  ]
  expect(measured(1, statistics(1, 2), { probed: { infrastructure } }).version).toBe('0.2.0')
  expect(measured(1, statistics(1, 2)).version).toBeUndefined()
})
