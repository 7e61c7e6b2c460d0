// Desk sessions in IndexedDB: they survive reload, crash and log-out. A shape that this version does not
// know is not read.
import { type IDBPDatabase, openDB } from 'idb'
import type { Modifiers, Scan } from './types'

export interface KeptSession {
  version: 1
  startedAt: number
  scans: Scan[]
  modifiers?: Modifiers
  /** The patron's barcode at check-out. */
  patron?: string
}

let database: Promise<IDBPDatabase> | undefined

function open() {
  database ??= openDB('octavo-desk', 1, {
    upgrade(db) {
      db.createObjectStore('sessions')
    },
  })
  return database
}

export async function readSession(key: string): Promise<KeptSession | undefined> {
  try {
    const kept = (await (await open()).get('sessions', key)) as KeptSession | undefined
    return kept?.version === 1 && Array.isArray(kept.scans) ? kept : undefined
  } catch {
    // A private window may forbid it: the session then lives as long as the page.
    return undefined
  }
}

export async function writeSession(key: string, session: KeptSession): Promise<void> {
  try {
    const writing = (await open()).transaction('sessions', 'readwrite')
    const put = writing.store.put(session, key)
    // The page may be going away: what is not committed by then is lost.
    writing.commit()
    await Promise.all([put, writing.done])
  } catch {
    // See above.
  }
}
