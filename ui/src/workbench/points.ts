// The timeline of a run as so many points as a chart can show: steps beside each other are added up.
import { addAll, decode, nothing, percentile } from './histogram'
import type { Run } from './run'

export interface Point {
  atSeconds: number
  /** Milliseconds; none where nothing ended in that time. */
  median?: number
  p95?: number
  requestsPerSecond: number
  errors: number
  users: number
}

export async function pointsOf(run: Run, transaction: number, most: number): Promise<Point[]> {
  const steps = run.timeline?.steps ?? []
  const width = Math.max(1, Math.ceil(steps.length / most))
  const points: Point[] = []
  for (let from = 0; from < steps.length; from += width) {
    const some = steps.slice(from, from + width)
    const whole = nothing()
    for (const step of some) {
      const { histogram } = step.transactions[transaction] ?? {}
      if (histogram) addAll(whole, await decode(histogram))
    }
    const seconds = some.reduce((sum, step) => sum + step.seconds, 0)
    const milliseconds = (share: number) => {
      const found = percentile(whole, share)
      return found === undefined ? undefined : found / 1000
    }
    points.push({
      atSeconds: some[0]?.at_s ?? 0,
      median: milliseconds(0.5),
      p95: milliseconds(0.95),
      requestsPerSecond: some.reduce((sum, step) => sum + step.requests, 0) / (seconds || 1),
      errors: some.reduce((sum, step) => sum + step.errors, 0),
      users: Math.max(...some.map((step) => step.users)),
    })
  }
  return points
}
