// Data that hundreds of components read and that hardly changes: who is here, the library's time zone. One look at
// the cache for all of them: an observer for each took a tenth of a page's first drawing.
import { hashKey, type QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { queryClient } from './query'

/** A hook that reads what the cache has under this key. Whoever fetches it says how long it is good. */
export function keptOf<T>(key: QueryKey): () => T | undefined {
  const hash = hashKey(key)
  const listeners = new Set<() => void>()
  let now: T | undefined
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryHash !== hash) return
    const next = type === 'removed' ? undefined : (query.state.data as T | undefined)
    if (next === now) return
    now = next
    for (const listener of [...listeners]) listener()
  })
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const snapshot = () => now
  return () => useSyncExternalStore(subscribe, snapshot)
}
