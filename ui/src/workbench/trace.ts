// One request, recorded by the server stage by stage and statement by statement.
import { queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'
import { ApiFailure, failureFrom } from '#/api/errors'
import { session } from '#/api/session'
import { probed } from './probe'

export interface Span {
  kind: 'work' | 'wait' | 'transaction' | 'control' | 'prepare' | 'statement' | 'copy'
  name?: string
  startUs: number
  durationUs?: number
  sql?: string
  place?: string
  behind?: number
  rows?: number
  bytes?: number
  note?: string
  children?: Span[]
}

export interface Trace {
  id: string
  route: string
  status: number
  at: string
  summary: {
    totalUs: number
    sqlUs: number
    statements: number
    roundTrips: number
    prepared: number
    spansLeftOut: number
  }
  root: Span
}

export interface TraceLine {
  id: string
  route: string
  status: number
  at: string
  milliseconds: number
  sqlMilliseconds: number
}

/** The last hundred that the server keeps, of this library. */
export const tracesQuery = queryOptions({
  queryKey: ['traces', session.tenant],
  queryFn: ({ signal }) =>
    probed<{ traces: TraceLine[]; totalRecords: number }>('/_/octavo/traces', undefined, signal),
  staleTime: 0,
})

/** They are in memory only: one that is gone answers 404. */
export const traceQuery = (id: string) =>
  queryOptions({
    queryKey: ['trace', id],
    queryFn: ({ signal }) =>
      probed<Trace>(`/_/octavo/traces/${encodeURIComponent(id)}`, undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Reads only: a traced request is a real one. */
export async function traceOnce(path: string): Promise<Trace | undefined> {
  await session.ready()
  const answer = await fetch(path, {
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json, text/plain',
      'X-Requested-With': 'octavo',
      'X-Octavo-Trace': '1',
      ...session.tenantHeader(),
    },
  })
  const body = await answer.text()
  const id = answer.headers.get('x-octavo-trace-id')
  if (id) return get<Trace>(`/_/octavo/traces/${id}`)
  if (answer.ok) return undefined
  throw new ApiFailure(failureFrom(answer.status, body, answer.headers.get('content-type') ?? ''))
}

/** The one with the median time: a single request may have met a pause. */
export async function traceMedian(path: string, times: number): Promise<Trace | undefined> {
  const traces: Trace[] = []
  for (let turn = 0; turn < times; turn += 1) {
    const trace = await traceOnce(path)
    if (!trace) return undefined
    traces.push(trace)
  }
  traces.sort((one, other) => one.summary.totalUs - other.summary.totalUs)
  return traces[Math.floor((traces.length - 1) / 2)]
}

export interface Line {
  span: Span
  depth: number
  /** Its place in the tree, as a key. */
  key: string
}

export function linesOf(root: Span): Line[] {
  const lines: Line[] = []
  const walk = (span: Span, depth: number, key: string) => {
    lines.push({ span, depth, key })
    span.children?.forEach((child, at) => {
      walk(child, depth + 1, `${key}.${at}`)
    })
  }
  walk(root, 0, '0')
  return lines
}
