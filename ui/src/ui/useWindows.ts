// A long list in windows of rows: those in view are asked for, others stay in the cache. What is asked for
// no longer is aborted. While another list comes, the one before stays in view.
import { type QueryKey, useQueries } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import type { Rows } from './Table'

export const WINDOW = 50

export interface Window<T> {
  total: number
  rows: readonly T[]
}

interface Source<T> {
  key: QueryKey
  load: (offset: number, limit: number, signal: AbortSignal) => Promise<Window<T>>
  /** The last row that the route can be asked for; more are counted, but not listed. */
  most?: number
}

export interface Windows<T> extends Rows<T> {
  /** All that the search finds, also those beyond `most`. */
  found: number
  /** The windows in view, for what else is asked about their rows. */
  inView: readonly Window<T>[]
  isLoading: boolean
  isStale: boolean
  error: unknown
  retry: () => void
  onRange: (first: number, last: number) => void
}

/** For loaders: the first window, under the same key. */
export const firstWindow = <T>({ key, load }: Source<T>) => windowQuery(key, 0, load)

const windowQuery = <T>(key: QueryKey, number: number, load: Source<T>['load']) => ({
  queryKey: [...key, number],
  queryFn: ({ signal }: { signal: AbortSignal }) => load(number * WINDOW, WINDOW, signal),
})

export function useWindows<T>({
  key,
  load,
  most = Number.POSITIVE_INFINITY,
}: Source<T>): Windows<T> {
  const list = JSON.stringify(key)
  const now = useRef(list)
  now.current = list
  const [inView, setInView] = useState({ list, first: 0, last: 0 })
  // Another list begins at its top, wherever the one before stood.
  const range = inView.list === list ? inView : { first: 0, last: 0 }
  const last = Math.floor(Math.min(range.last, most - 1) / WINDOW)
  const first = Math.min(Math.floor(range.first / WINDOW), last)
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const asked = useQueries({
    queries: numbers.map((number) => windowQuery(key, number, load)),
  })
  const arrived = asked.some((one) => one.data)
  const held = useRef<Held<T>>(undefined)
  if (arrived) held.current = { first, windows: asked.map((one) => one.data) }
  const shown = held.current
  const found = shown?.windows.find((one) => one)?.total ?? 0
  const failed = asked.find((one) => one.error && !one.data)
  const onRange = useCallback((from: number, to: number) => {
    setInView((before) =>
      before.list === now.current && before.first === from && before.last === to
        ? before
        : { list: now.current, first: from, last: to },
    )
  }, [])
  return {
    found,
    total: Math.min(found, most),
    at: (index) => shown?.windows[Math.floor(index / WINDOW) - shown.first]?.rows[index % WINDOW],
    inView: shown?.windows.flatMap((one) => (one ? [one] : [])) ?? [],
    isLoading: !shown,
    isStale: Boolean(shown) && !arrived,
    error: failed?.error,
    retry: () => void failed?.refetch(),
    onRange,
  }
}

interface Held<T> {
  first: number
  windows: (Window<T> | undefined)[]
}
