// The record of a run of `octavo workload` (run.json), as much of it as a report shows.
import { isRecord } from '#/lib/check'

export interface Statistics {
  samples: number
  errors: number
  average_ms: number
  p50_ms: number
  p75_ms: number
  p95_ms: number
  p99_ms: number
  maximum_ms: number
  p50_interval_ms?: [number, number]
  p95_interval_ms?: [number, number]
  apdex?: number
}

export interface RequestFigures {
  label: string
  statistics: Statistics
}

export interface Transaction {
  name: string
  statistics: Statistics
  requests: RequestFigures[]
}

export interface Step {
  at_s: number
  seconds: number
  requests: number
  errors: number
  users: number
  /** By the order of `transactions`. */
  transactions: { histogram?: string }[]
}

export interface Failed {
  label?: string
  kind?: string
  count?: number
}

export interface Run {
  format: number
  name?: string
  workload: string
  server: string
  tenant: string
  started_at: string
  virtual_users: number
  measured_s: number
  arrival: string
  think_time?: string
  /** What the probes found: names and values. */
  probed?: { infrastructure?: [string, string][] }
  ended_early?: string | null
  totals: { requests: number; errors: number; requests_per_s: number }
  transactions: Transaction[]
  other_requests: RequestFigures[]
  /** Reports have none, records of runs have. */
  timeline?: { steps: Step[] }
}

/** The format that is read here. */
const FORMAT = 2

export type NotRead = 'notJson' | 'isReport' | 'notRun' | 'otherFormat'

/** A run from a file's text, or why it is none. */
export function readRun(text: string): Run | NotRead {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return 'notJson'
  }
  if (!isRecord(found)) return 'notRun'
  // report.json has no times second by second; run.json lies beside it.
  if ('report_format' in found) return 'isReport'
  const { format, workload, started_at, totals, transactions, timeline } = found
  const isRun =
    typeof workload === 'string' &&
    typeof started_at === 'string' &&
    isRecord(totals) &&
    Array.isArray(transactions) &&
    isRecord(timeline) &&
    Array.isArray(timeline.steps)
  if (!isRun) return 'notRun'
  return format === FORMAT ? (found as unknown as Run) : 'otherFormat'
}

/** Requests of one name are in several transactions; each stands under its own. */
export const percentOf = (before: number, after: number) =>
  before > 0 ? ((after - before) / before) * 100 : undefined
