// A file with the kept scans, in case the computer does not come back.
import type { Kept } from './types'

export function saveCopy(rows: readonly Kept[]) {
  const scans = rows.map(({ entry, state, result }) => ({ ...entry, state, result }))
  const text = JSON.stringify({ version: 1, scans }, null, 2)
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `octavo-offline-${new Date().toISOString().slice(0, 16).replace(':', '')}.json`
  link.click()
  URL.revokeObjectURL(url)
}
