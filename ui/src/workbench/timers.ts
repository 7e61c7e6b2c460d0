// The timers of the tenant's modules, and changes of their schedules.
import { queryOptions } from '@tanstack/react-query'
import { request } from '#/api/client'
import { session } from '#/api/session'
import { type Probed, probed } from './probe'

export interface RoutingEntry {
  methods?: string[]
  pathPattern?: string
  path?: string
  unit?: string
  delay?: string
  schedule?: { cron?: string; zone?: string }
}

export interface Timer {
  id: string
  routingEntry: RoutingEntry
  modified?: boolean
  /** Of servers that tell what became of them. */
  nextRun?: string
  lastRun?: string
  lastStatus?: 'running' | 'succeeded' | 'failed'
  lastMilliseconds?: number
  lastError?: string
}

export const UNITS = ['second', 'minute', 'hour', 'day'] as const
export type Unit = (typeof UNITS)[number]
export const unitOf = (unit: string | undefined): Unit | undefined =>
  UNITS.find((one) => one === unit)

const AGAIN_MS = 5000

const path = () => `/_/proxy/tenants/${encodeURIComponent(session.tenant)}/timers`

export const timersQuery = queryOptions({
  queryKey: ['timers', session.tenant],
  queryFn: async ({ signal }): Promise<Probed<Timer[]>> => {
    const own = await probed<{ timers: Timer[] }>('/_/octavo/timers', undefined, signal)
    if (own.state === 'there') return { state: 'there', data: own.data.timers }
    // Okapi's list has the schedules only.
    return probed<Timer[]>(path(), undefined, signal)
  },
  staleTime: 0,
  refetchInterval: AGAIN_MS,
})

/** An empty schedule restores the module's own. */
export const changeTimer = (id: string, to: { unit?: Unit; delay?: string }) =>
  request(`${path()}/${encodeURIComponent(id)}`, { method: 'PATCH', body: to })

/** "mod-circulation-storage-17.4.2_3" → "mod-circulation-storage". */
export const moduleOf = (id: string) => id.replace(/_\d+$/, '').replace(/-\d[\w.-]*$/, '')
