// A stored value as React state, the same in all tabs.
import { useSyncExternalStore } from 'react'
import type { Stored } from './stored'

export function useStored<T>(value: Stored<T>): [T, (next: T) => void] {
  const current = useSyncExternalStore(value.subscribe, value.read)
  return [current, value.write]
}
