// A desk session as React state. Sessions live beside the pages: their queues go on while another page
// is open.
import { useCallback, useSyncExternalStore } from 'react'
import { afterFrame } from '#/lib/afterFrame'
import { DeskSession, type Options, type Snapshot } from './session'

const TABS_MAX = 9
const RELOAD_MS = 10_000
const OTHER_MS = 400
const sessions = new Map<string, DeskSession>()

export function sessionOf(options: Options): DeskSession {
  let session = sessions.get(options.key)
  if (!session) {
    session = new DeskSession(options)
    sessions.set(options.key, session)
    const made = session
    void ownName(options.key).then((name) => made.restore(name))
  }
  return session
}

/** Changes are drawn after the next frame, all together: the key that made one is not held up by its row. */
export function useSnapshot(session: DeskSession): Snapshot {
  const subscribe = useCallback(
    (draw: () => void) => session.subscribe(afterFrame(draw)),
    [session],
  )
  return useSyncExternalStore(subscribe, session.snapshot)
}

/**
 * The name under which this tab keeps its session. A second tab at the same desk has a list of its own:
 * two writers of one list would lose each other's rows. The lock is held until the tab closes.
 */
async function ownName(key: string): Promise<string> {
  if (!navigator.locks) return key
  // After a reload this tab takes its own list again, as soon as the page before has let go of it.
  const before = sessionStorage.getItem(`octavo.${key}`)
  if (before && (await held(before, RELOAD_MS))) return before
  for (let tab = 1; tab < TABS_MAX; tab += 1) {
    const name = tab === 1 ? key : `${key}:${tab}`
    if (await held(name, OTHER_MS)) {
      sessionStorage.setItem(`octavo.${key}`, name)
      return name
    }
  }
  return `${key}:${TABS_MAX}`
}

function held(name: string, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(waitMs)
    const hold = () => {
      resolve(true)
      return new Promise<never>(() => undefined)
    }
    navigator.locks.request(`octavo.${name}`, { signal }, hold).catch(() => resolve(false))
  })
}
