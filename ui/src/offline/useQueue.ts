// The kept scans as React state.
import { useEffect, useSyncExternalStore } from 'react'
import { queue } from './queue'
import type { Kept } from './types'

export function useQueue(): readonly Kept[] {
  useEffect(() => void queue.read().catch(() => undefined), [])
  return useSyncExternalStore(queue.subscribe, queue.snapshot)
}
