// How far the library's events have been passed on to Kafka.
import { queryOptions } from '@tanstack/react-query'
import { probed } from './probe'

export interface ParkedEvent {
  eventId: string
  topic: string
  key?: string | null
  bytes: number
  reason: string
}

/** Without `configured`, nobody has ever passed events of this library on, and the rest is missing. */
export interface RelayState {
  configured: boolean
  running?: boolean
  eventsSent?: number
  lastSent?: string | null
  eventsUnsent?: number
  oldestUnsentMilliseconds?: number | null
  parked?: ParkedEvent[]
  totalParked?: number
}

const AGAIN_MS = 5000

export const relayQuery = queryOptions({
  queryKey: ['relay'],
  queryFn: ({ signal }) => probed<RelayState>('/_/octavo/relay', undefined, signal),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.state === 'there' ? AGAIN_MS : false),
})
