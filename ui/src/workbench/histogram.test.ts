// The histograms of a published report, against the statistics that the workbench computed from them itself.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { addAll, decode, nothing, percentile } from './histogram'
import { pointsOf } from './points'
import { readRun } from './run'

const file = resolve(
  import.meta.dirname,
  '../../../docs/reports/check-in-check-out-20-users/run.json',
)
const text = readFileSync(file, 'utf8')
const run = readRun(text)
if (typeof run === 'string') throw new Error(run)

test('what is no run is told apart', () => {
  expect(readRun('{')).toBe('notJson')
  expect(readRun('{"report_format": 1}')).toBe('isReport')
  expect(readRun('[]')).toBe('notRun')
  expect(readRun(JSON.stringify({ ...run, format: 3 }))).toBe('otherFormat')
})

test('the whole histogram of each transaction has its percentiles and samples', async () => {
  const raw = JSON.parse(text) as { transactions: { series: { histogram: string } }[] }
  for (const [at, { statistics }] of run.transactions.entries()) {
    const found = await decode(raw.transactions[at]?.series.histogram ?? '')
    expect(found.total).toBe(statistics.samples)
    for (const [share, ms] of [
      [0.5, statistics.p50_ms],
      [0.95, statistics.p95_ms],
      [0.99, statistics.p99_ms],
    ] as const)
      expect(((percentile(found, share) ?? 0) / 1000 / ms).toFixed(2)).toBe('1.00')
  }
})

test('the steps of the timeline add up to at most the whole', async () => {
  for (const at of run.transactions.keys()) {
    const whole = nothing()
    for (const step of run.timeline?.steps ?? []) {
      const { histogram } = step.transactions[at] ?? {}
      if (histogram) addAll(whole, await decode(histogram))
    }
    expect(whole.total).toBe(run.transactions[at]?.statistics.samples)
  }
})

test('points are few, in order, and within the range of the run', async () => {
  const points = await pointsOf(run, 0, 40)
  expect(points.length).toBeLessThanOrEqual(40)
  expect(points.length).toBeGreaterThan(20)
  const most = run.transactions[0]?.statistics.maximum_ms ?? 0
  for (const { median, p95 } of points) {
    if (median === undefined || p95 === undefined) continue
    expect(median).toBeLessThanOrEqual(p95)
    expect(p95).toBeLessThanOrEqual(most * 1.01)
  }
})
