// What was seen of a running measurement, answer by answer: the server tells sums, the page keeps how they grew.
import type { Run } from './run'

export interface LivePoint {
  atSeconds: number
  requestsPerSecond: number
  /** So far, of the slowest kind of work; in milliseconds. */
  median?: number
  p95?: number
}

interface Seen {
  atSeconds: number
  requests: number
  points: LivePoint[]
}

const POINTS_MAX = 3600
const seen = new Map<string, Seen>()

export interface Told {
  id: string
  seconds: number
  report?: { run: Pick<Run, 'totals' | 'transactions'> } | null
}

export function noteLive({ id, seconds, report }: Told): readonly LivePoint[] {
  const before = seen.get(id) ?? { atSeconds: 0, requests: 0, points: [] }
  if (!report || seconds <= before.atSeconds) return before.points
  const { totals } = report.run
  const slowest = slowestOf(report.run)?.statistics
  const point: LivePoint = {
    atSeconds: seconds,
    requestsPerSecond:
      Math.max(0, totals.requests - before.requests) / (seconds - before.atSeconds),
    median: slowest?.p50_ms,
    p95: slowest?.p95_ms,
  }
  const points = [...before.points, point].slice(-POINTS_MAX)
  seen.set(id, { atSeconds: seconds, requests: totals.requests, points })
  return points
}

export const slowestOf = ({ transactions }: Pick<Run, 'transactions'>) =>
  [...transactions].sort((one, other) => other.statistics.p95_ms - one.statistics.p95_ms)[0]
