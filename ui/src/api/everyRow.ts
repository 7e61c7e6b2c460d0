// All rows of a long list, window by window: for files, where a list in view has only some.
import type { Window } from '#/ui/useWindows'

const ROWS = 500

export async function everyRow<T>(
  load: (offset: number, limit: number, signal: AbortSignal) => Promise<Window<T>>,
  onRows: (count: number, total: number) => void,
  signal: AbortSignal,
): Promise<T[]> {
  const rows: T[] = []
  for (;;) {
    const window = await load(rows.length, ROWS, signal)
    rows.push(...window.rows)
    onRows(rows.length, window.total)
    if (window.rows.length === 0 || rows.length >= window.total) return rows
  }
}
