// Saves a list as a file: all rows are read, the count goes on meanwhile; leaving the page ends it.
import { useEffect, useRef, useState } from 'react'
import { everyRow } from '#/api/everyRow'
import { useText } from '#/i18n/text'
import { type Cell, csvOf } from '#/lib/csv'
import { download } from '#/lib/download'
import { useFormats } from '#/lib/format'
import type { Window } from './useWindows'

interface Table<T> {
  /** The file's name, without the day. */
  name: string
  load: (offset: number, limit: number, signal: AbortSignal) => Promise<Window<T>>
  head: readonly string[]
  row: (one: T) => readonly Cell[]
}

export function useCsv<T>({ name, load, head, row }: Table<T>) {
  const t = useText()
  const { number } = useFormats()
  const [said, setSaid] = useState<string>()
  const [busy, setBusy] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const save = async () => {
    if (busy) return
    const control = new AbortController()
    running.current = control
    setBusy(true)
    try {
      const rows = await everyRow(
        load,
        (count, total) =>
          setSaid(t('list.csvRows', { count: number(count), total: number(total) })),
        control.signal,
      )
      const day = new Date().toISOString().slice(0, 10)
      download(`${name}-${day}.csv`, csvOf([head, ...rows.map(row)]), 'text/csv;charset=utf-8')
      setSaid(t('list.csvDone', { count: number(rows.length) }))
    } catch {
      if (!control.signal.aborted) setSaid(t('list.csvFailed'))
    } finally {
      setBusy(false)
    }
  }
  return { save: () => void save(), said, busy }
}
