// The scans that this computer keeps, as all tabs see them.
import { store } from './store'
import { type Entry, type Kept, type Result, stateOf } from './types'

/** What is done with stays so long for questions at the desk, then it goes. */
const DAYS_KEPT = 30
const DAY_MS = 24 * 3600_000

export class Queue {
  private rows: readonly Kept[] = []
  private listeners = new Set<() => void>()
  private channel =
    typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('octavo.offline')

  constructor() {
    this.channel?.addEventListener('message', () => void this.read())
  }

  /** In order of time. */
  snapshot = () => this.rows

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  async read(): Promise<readonly Kept[]> {
    const db = await store()
    const [entries, results] = await Promise.all([
      db.getAllFromIndex('entries', 'at'),
      db.getAll('results'),
    ])
    const byId = new Map(results.map((result) => [result.id, result]))
    this.rows = entries.map((entry, at) => {
      const result = byId.get(entry.id)
      return { entry, result, state: stateOf(entry, result), number: at + 1 }
    })
    for (const listener of this.listeners) listener()
    return this.rows
  }

  /** Resolves when the scan is on the disk. */
  async add(entry: Entry): Promise<void> {
    const transaction = (await store()).transaction('entries', 'readwrite', {
      durability: 'strict',
    })
    await Promise.all([transaction.store.add(entry), transaction.done])
    await this.changed()
  }

  async settle(result: Result): Promise<void> {
    const transaction = (await store()).transaction('results', 'readwrite', {
      durability: 'strict',
    })
    await Promise.all([transaction.store.put(result), transaction.done])
    await this.changed()
  }

  async resultOf(id: string): Promise<Result | undefined> {
    return (await store()).get('results', id)
  }

  /** Takes away what was done with long ago. */
  async clear(now: number): Promise<void> {
    const db = await store()
    for (const { entry, result, state } of await this.read()) {
      const isOver = state === 'accepted' || state === 'dropped'
      if (!isOver || !result || now - result.at < DAYS_KEPT * DAY_MS) continue
      const transaction = db.transaction(['entries', 'results'], 'readwrite')
      await Promise.all([
        transaction.objectStore('entries').delete(entry.id),
        transaction.objectStore('results').delete(entry.id),
        transaction.done,
      ])
    }
  }

  private async changed() {
    this.channel?.postMessage('changed')
    await this.read()
  }
}

export const queue = new Queue()
