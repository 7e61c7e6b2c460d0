// Background work of the areas themselves: queues, and jobs that wait, run or were tried in vain.
import { queryOptions } from '@tanstack/react-query'
import { probed } from './probe'

export interface Queue {
  queue: string
  waiting: number
  running: number
  failed: number
  oldest?: string | null
}

export interface QueuedJob {
  id: string
  queue: string
  progress?: unknown
  attempts?: number
  reason?: string | null
  added?: string
}

const AGAIN_MS = 5000

export const queuesQuery = queryOptions({
  queryKey: ['job-queues'],
  queryFn: ({ signal }) =>
    probed<{ queues: Queue[]; jobs: QueuedJob[]; totalRecords: number }>(
      '/_/octavo/jobs',
      undefined,
      signal,
    ),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.state === 'there' ? AGAIN_MS : false),
})
