// Figures at the end of the rail's lines, by place; set by who knows them.
import { useSyncExternalStore } from 'react'

class Counts {
  private values: Readonly<Record<string, number>> = {}
  private listeners = new Set<() => void>()

  snapshot = () => this.values

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  set(place: string, count: number) {
    if (this.values[place] === count) return
    this.values = { ...this.values, [place]: count }
    for (const listener of this.listeners) listener()
  }
}

export const counts = new Counts()

export const useCount = (place: string): number | undefined =>
  useSyncExternalStore(counts.subscribe, counts.snapshot)[place]
