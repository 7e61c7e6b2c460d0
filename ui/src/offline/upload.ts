// Sends what is kept, in the order in which it was scanned. One tab at a time, in this browser.
import { session } from '#/api/session'
import { type Queue, queue } from './queue'
import { send } from './send'
import { type Entry, type Result, stateOf } from './types'

const LOCK = 'octavo.offline.upload'

type Send = (entry: Entry, before: Result | undefined) => Promise<Result | undefined>

export interface Sent {
  accepted: number
  refused: number
}

/** Null when another tab is at it. */
export async function upload(): Promise<Sent | null> {
  const run = () => sendAll(queue, session.tenant, send)
  if (!navigator.locks) return run()
  return navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => (lock ? run() : null))
}

/** Stops at the first scan that the server does not answer. */
export async function sendAll(kept: Queue, tenant: string, sendOne: Send): Promise<Sent> {
  const sent: Sent = { accepted: 0, refused: 0 }
  for (;;) {
    const rows = await kept.read()
    const waiting = rows.filter(({ entry, state }) => state === 'kept' && entry.tenant === tenant)
    if (!waiting.length) return sent
    for (const { entry } of waiting) {
      // The list may be older than what another tab has done.
      const before = await kept.resultOf(entry.id)
      if (stateOf(entry, before) !== 'kept') continue
      const result = await sendOne(entry, before)
      if (!result) return sent
      await kept.settle(result)
      sent[result.state === 'accepted' ? 'accepted' : 'refused'] += 1
    }
  }
}
