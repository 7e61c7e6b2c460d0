// A desk session as React state. Sessions live beside the pages: their queues go on while another page
// is open.
import { useEffect, useSyncExternalStore } from 'react'
import { DeskSession, type Options, type Snapshot } from './session'

const sessions = new Map<string, DeskSession>()

export function sessionOf(options: Options): DeskSession {
  let session = sessions.get(options.key)
  if (!session) {
    session = new DeskSession(options)
    sessions.set(options.key, session)
    void session.restore()
  }
  return session
}

export function useSnapshot(session: DeskSession): Snapshot {
  return useSyncExternalStore(session.subscribe, session.snapshot)
}

/** Other tabs of this browser at the same desk: each has scans of its own, so it says so. */
export function useOtherTab(key: string, onOther: () => void) {
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return
    const channel = new BroadcastChannel(`octavo.${key}`)
    channel.addEventListener('message', ({ data }) => {
      onOther()
      if (data === 'here') channel.postMessage('too')
    })
    channel.postMessage('here')
    return () => channel.close()
  }, [key, onOther])
}
