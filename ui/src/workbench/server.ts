// What the server says of itself: version, health, replicas, libraries, and what it is doing now.
import { queryOptions } from '@tanstack/react-query'
import { withQuery } from '#/api/client'
import { probed } from './probe'

const OFTEN_MS = 5000

async function text(path: string, signal: AbortSignal) {
  const answer = await fetch(withQuery(path), { signal, headers: { 'X-Requested-With': 'octavo' } })
  return { ok: answer.ok, text: (await answer.text()).trim() }
}

export const versionQuery = queryOptions({
  queryKey: ['server-version'],
  queryFn: async ({ signal }) => {
    const { ok, text: version } = await text('/_/version', signal)
    return ok && version.length < 40 ? version : ''
  },
})

/** `well` when the database answers and can write; otherwise the server's reason. */
export const healthQuery = queryOptions({
  queryKey: ['server-health'],
  queryFn: async ({ signal }) => {
    const { ok, text: said } = await text('/admin/health', signal)
    return { well: ok, said: ok ? '' : said.slice(0, 400) }
  },
  refetchInterval: OFTEN_MS,
  staleTime: 0,
})

export interface Reader {
  place: string
  up: boolean
  reads: number
  readsRepeatedOnWriter: number
  lagBytes?: number
  reason?: string
}

export interface Readers {
  readers: Reader[]
  totalRecords: number
  readsThatWaited?: number
  readsOnWriter?: number
}

export const readersQuery = queryOptions({
  queryKey: ['readers'],
  queryFn: ({ signal }) => probed<Readers>('/_/readers', undefined, signal),
  refetchInterval: OFTEN_MS,
  staleTime: 0,
})

export interface Tenant {
  id: string
  name?: string
  description?: string
}

export const tenantsQuery = queryOptions({
  queryKey: ['tenants'],
  queryFn: ({ signal }) => probed<Tenant[]>('/_/proxy/tenants', undefined, signal),
})

export interface Running {
  id: string
  tenant?: string
  method: string
  route: string
  elapsedMilliseconds: number
  stage?: string
}

export const runningQuery = queryOptions({
  queryKey: ['running-requests'],
  queryFn: ({ signal }) =>
    probed<{ requests: Running[]; totalRecords: number }>('/_/octavo/requests', undefined, signal),
  refetchInterval: ({ state }) => (state.data?.state === 'there' ? OFTEN_MS : false),
  staleTime: 0,
})

export interface RouteTimes {
  method: string
  route: string
  tenant?: string
  requests: number
  failed: number
  totalMilliseconds: number
  p50Milliseconds: number
  p95Milliseconds: number
  maxMilliseconds: number
}

export const timesQuery = queryOptions({
  queryKey: ['route-times'],
  queryFn: ({ signal }) =>
    probed<{ times: RouteTimes[]; since?: string }>('/_/octavo/times', { minutes: 60 }, signal),
  refetchInterval: ({ state }) => (state.data?.state === 'there' ? OFTEN_MS : false),
  staleTime: 0,
})
