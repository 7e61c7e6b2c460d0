// How the times of one workload changed from run to run: of what this server has measured, and of the runs that are
// kept in this browser. Decisions only; `trendRuns.ts` fetches.
import type { Run, Statistics } from './run'

export interface Times {
  samples: number
  errors: number
  p50: number
  p95: number
  /** Where each percentile lies with 95 % confidence, in milliseconds. */
  p50Interval?: readonly [number, number]
  p95Interval?: readonly [number, number]
}

export type Percentile = 'p50' | 'p95'

/** One run, as much of it as a history shows. */
export interface Measured {
  /** Its page is opened by it. */
  id: string
  workload: string
  name: string
  startedAt: string
  /** Of the server that was measured; older records have none. */
  version?: string
  users: number
  /** `plan` or `none`. */
  thinkTime: string
  arrival: string
  requestsPerSecond: number
  requests: number
  errors: number
  /** By name, workflows before requests. */
  of: ReadonlyMap<string, Times>
}

const CLOSED = 'closed loop'
/** A smaller change is not told: runs of the same program differ by as much. */
const LEAST = 0.05

const timesOf = (of: Statistics): Times => ({
  samples: of.samples,
  errors: of.errors,
  p50: of.p50_ms,
  p95: of.p95_ms,
  p50Interval: of.p50_interval_ms,
  p95Interval: of.p95_interval_ms,
})

export function measuredOf(id: string, run: Run): Measured {
  const of = new Map<string, Times>()
  // A request of several workflows stands under the first; one that is a workflow alone is that workflow.
  const note = (name: string, statistics: Statistics) => {
    if (statistics.samples && !of.has(name)) of.set(name, timesOf(statistics))
  }
  for (const { name, statistics } of run.transactions) note(name, statistics)
  for (const { requests } of run.transactions)
    for (const { label, statistics } of requests) note(label, statistics)
  const facts = new Map(run.probed?.infrastructure ?? [])
  return {
    id,
    workload: run.workload,
    name: run.name && run.name !== run.workload ? run.name : '',
    startedAt: run.started_at,
    version: facts.get('server version'),
    users: run.virtual_users,
    thinkTime: run.think_time ?? '',
    arrival: run.arrival,
    requestsPerSecond: run.totals.requests_per_s,
    requests: run.totals.requests,
    errors: run.totals.errors,
    of,
  }
}

export interface Load {
  /** For the address. */
  id: string
  users: number
  isWithoutPauses: boolean
  /** Of runs that send at a rate of their own. */
  arrival?: string
  /** In order of time. */
  runs: Measured[]
}

/** Runs under another load are apart: their times cannot be compared. The load that was measured last is the first. */
export function loadsOf(runs: readonly Measured[]): Load[] {
  const loads = new Map<string, Load>()
  const times = new Set<string>()
  for (const run of [...runs].sort((one, other) => one.startedAt.localeCompare(other.startedAt))) {
    // One that the server has and that was opened from its file, too.
    if (times.has(run.startedAt)) continue
    times.add(run.startedAt)
    const arrival = run.arrival === CLOSED ? undefined : run.arrival
    const id = [run.users, run.thinkTime === 'none' ? 'none' : 'plan', arrival]
      .filter((part) => part !== undefined)
      .join(' ')
    const load = loads.get(id) ?? {
      id,
      users: run.users,
      isWithoutPauses: run.thinkTime === 'none',
      arrival,
      runs: [],
    }
    load.runs.push(run)
    loads.set(id, load)
  }
  return [...loads.values()].sort((one, other) =>
    (other.runs.at(-1)?.startedAt ?? '').localeCompare(one.runs.at(-1)?.startedAt ?? ''),
  )
}

export interface Change {
  /** 0.12 is twelve per cent slower. */
  by: number
  /** More than chance: at least 5 %, and the intervals of both lie apart. */
  isMarked: boolean
}

export function changeOf(
  before: Times | undefined,
  after: Times | undefined,
  percentile: Percentile,
): Change | undefined {
  if (!before?.[percentile] || !after) return undefined
  const by = after[percentile] / before[percentile] - 1
  const earlier = before[`${percentile}Interval`]
  const later = after[`${percentile}Interval`]
  // Results of other tools have no intervals: nothing is said of chance then.
  const areApart = earlier && later && (later[0] > earlier[1] || later[1] < earlier[0])
  return { by, isMarked: Boolean(areApart) && Math.abs(by) >= LEAST }
}

/** The last run before a place that has this name: a run may leave a request out. */
export function earlierOf(runs: readonly Measured[], at: number, name: string) {
  for (let place = at - 1; place >= 0; place -= 1) {
    const times = runs[place]?.of.get(name)
    if (times) return times
  }
  return undefined
}

export interface NamedChange extends Change {
  name: string
  percentile: Percentile
  before: number
  after: number
}

/** What is more than chance in the last run, the most slowed first. */
export function lastChanges(runs: readonly Measured[]): NamedChange[] {
  const last = runs.at(-1)
  if (!last) return []
  const changes: NamedChange[] = []
  for (const [name, after] of last.of) {
    const before = earlierOf(runs, runs.length - 1, name)
    for (const percentile of ['p50', 'p95'] as const) {
      const change = changeOf(before, after, percentile)
      if (before && change?.isMarked)
        changes.push({
          ...change,
          name,
          percentile,
          before: before[percentile],
          after: after[percentile],
        })
    }
  }
  return changes.sort((one, other) => other.by - one.by)
}

/** All names of some runs, those of the last run first. */
export const namesOf = (runs: readonly Measured[]) => [
  ...new Set([...runs].reverse().flatMap(({ of }) => [...of.keys()])),
]
