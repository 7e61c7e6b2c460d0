// The database of the offline desk. Scans are only ever added; what became of them stands beside them, so
// that a fault in one part of the program cannot lose a scan.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Entry, Result } from './types'

interface Schema extends DBSchema {
  entries: { key: string; value: Entry; indexes: { at: number } }
  results: { key: string; value: Result }
  known: { key: string; value: unknown }
}

let database: Promise<IDBPDatabase<Schema>> | undefined

export function store(): Promise<IDBPDatabase<Schema>> {
  database ??= openDB<Schema>('octavo-offline', 1, {
    upgrade(db) {
      db.createObjectStore('entries', { keyPath: 'id' }).createIndex('at', 'at')
      db.createObjectStore('results', { keyPath: 'id' })
      db.createObjectStore('known')
    },
    // Another tab with a newer version must not wait for this one.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  return database
}
