// Beside all pages behind the log-in: sends what is kept as soon as the server answers, counts what is to
// be worked off, and asks the browser not to clear it.
import { connection } from '#/api/connection'
import { queryClient } from '#/api/query'
import { selfQuery } from '#/api/self'
import { counts } from '#/lib/counts'
import { queue } from './queue'
import { upload } from './upload'

/** So often an idle desk asks whether the server is there: before the next reader is, not when he stands there. */
const IDLE_MS = 15_000

let started = false

export function watch() {
  if (started) return
  started = true
  setInterval(() => {
    if (document.visibilityState === 'visible' && !connection.snapshot().away) void connection.ask()
  }, IDLE_MS)
  addEventListener('offline', () => void connection.ask())
  let wasAway = connection.snapshot().away
  connection.subscribe(() => {
    const { away } = connection.snapshot()
    if (wasAway && !away) {
      // A desk that was opened offline worked with what an earlier visit knew. Nothing observes that query (api/kept.ts), so
      // it has to be asked for.
      void queryClient.invalidateQueries({ queryKey: selfQuery.queryKey, refetchType: 'all' })
      void sendNow()
    }
    wasAway = away
  })
  queue.subscribe(() => {
    const open = queue.snapshot().filter(({ state }) => state === 'refused' || state === 'aside')
    counts.set('offline', open.length)
  })
  void queue.clear(Date.now()).then(sendNow, () => undefined)
}

export async function sendNow(): Promise<void> {
  if (connection.snapshot().away) return
  await upload()
}

/** Whether the browser promises to keep the scans until they are sent. */
export async function isPersistent(): Promise<boolean> {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist())
  } catch {
    return false
  }
}
