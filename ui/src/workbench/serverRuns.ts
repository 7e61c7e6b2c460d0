// Measurements that the server runs itself against the person's library, and what they have measured so far.
import { queryOptions } from '@tanstack/react-query'
import { get, post } from '#/api/client'
import { type LivePoint, noteLive } from './live'
import { type Probed, probed } from './probe'
import type { Run } from './run'

export interface ServerRun {
  id: string
  name?: string
  workload: string
  state: 'running' | 'ended' | 'stopped' | 'failed'
  startedAt: string
  virtualUsers: number
  rampUpSeconds?: number
  durationSeconds: number
  seconds: number
  reason?: string
}

export interface Report {
  summary: { tone: 'good' | 'bad' | 'plain'; text: string }[]
  run: Run
}

export type ServerRunReport = ServerRun & { report?: Report | null }

const OFTEN_MS = 1000
const SELDOM_MS = 5000
const PATH = '/_/octavo/workload-runs'

/** Runs of the server have UUIDs, runs from files have not. */
export const isServerRun = (id: string) => id.includes('-')

export const serverRunsQuery = queryOptions({
  queryKey: ['workload-runs'],
  queryFn: ({ signal }): Promise<Probed<{ runs: ServerRun[] }>> => probed(PATH, undefined, signal),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) =>
    data?.state === 'there' && data.data.runs.some(({ state }) => state === 'running')
      ? SELDOM_MS
      : false,
})

export const addressOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

export const serverRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['workload-run', id],
    queryFn: async ({
      signal,
    }): Promise<{ run: ServerRunReport; points: readonly LivePoint[] }> => {
      const run = await get<ServerRunReport>(addressOf(id), undefined, signal)
      return { run, points: noteLive(run) }
    },
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.run.state === 'running' ? OFTEN_MS : false),
  })

export const reportAddress = (id: string) => `${addressOf(id)}/report`

export interface Workloads {
  workloads: { id: string; name: string; summary: string; writes: boolean }[]
  runsAllowed: boolean
}

export const workloadsQuery = queryOptions({
  queryKey: ['workloads'],
  queryFn: ({ signal }) => probed<Workloads>('/_/octavo/workloads', undefined, signal),
})

export interface NewRun {
  workload: string
  name: string
  virtualUsers: number
  rampUpSeconds: number
  durationSeconds: number
  withoutPauses: boolean
  /** The person's own: each virtual user logs in with it. It is sent once and kept nowhere. */
  password: string
}

export const startRun = (run: NewRun) => post<ServerRun>(PATH, run)
export const stopRun = (id: string) => post(`${addressOf(id)}/stop`, {})
