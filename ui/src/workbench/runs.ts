// Runs that were opened from files, kept in this browser so that their addresses can be opened again.
import { queryOptions } from '@tanstack/react-query'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { queryClient } from '#/api/query'
import { type NotRead, type Run, readRun } from './run'

/** What the list shows, apart from the record: a run of an hour has some megabytes. */
export interface Kept {
  id: string
  name: string
  workload: string
  tenant: string
  startedAt: string
  virtualUsers: number
  requestsPerSecond: number
  errors: number
}

interface Schema extends DBSchema {
  kept: { key: string; value: Kept }
  runs: { key: string; value: string }
}

let database: Promise<IDBPDatabase<Schema>> | undefined
function store() {
  database ??= openDB<Schema>('octavo-workbench', 1, {
    upgrade(db) {
      db.createObjectStore('kept', { keyPath: 'id' })
      db.createObjectStore('runs')
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  return database
}

export const keptQuery = queryOptions({
  queryKey: ['kept-runs'],
  queryFn: async () => {
    const all = await (await store()).getAll('kept')
    return all.sort((one, other) => other.startedAt.localeCompare(one.startedAt))
  },
  // Not over the network: it is there offline, too.
  networkMode: 'always',
  staleTime: 0,
})

export const keptRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['kept-run', id],
    queryFn: async () => {
      const text = await (await store()).get('runs', id)
      const run = text === undefined ? undefined : readRun(text)
      return typeof run === 'object' ? run : null
    },
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The same run opened twice is kept once: its id comes from its content. */
async function idOf(text: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const bytes = [...new Uint8Array(digest).slice(0, 6)]
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export async function keepRun(text: string): Promise<{ id: string } | { notRead: NotRead }> {
  const run = readRun(text)
  if (typeof run === 'string') return { notRead: run }
  const id = await idOf(text)
  const db = await store()
  const change = db.transaction(['kept', 'runs'], 'readwrite')
  await Promise.all([
    change.objectStore('kept').put(keptOf(id, run)),
    change.objectStore('runs').put(text, id),
    change.done,
  ])
  await queryClient.invalidateQueries({ queryKey: ['kept-runs'] })
  return { id }
}

const keptOf = (id: string, run: Run): Kept => ({
  id,
  name: run.name ?? run.workload,
  workload: run.workload,
  tenant: run.tenant,
  startedAt: run.started_at,
  virtualUsers: run.virtual_users,
  requestsPerSecond: run.totals.requests_per_s,
  errors: run.totals.errors,
})

export async function forgetRun(id: string) {
  const change = (await store()).transaction(['kept', 'runs'], 'readwrite')
  await Promise.all([
    change.objectStore('kept').delete(id),
    change.objectStore('runs').delete(id),
    change.done,
  ])
  await queryClient.invalidateQueries({ queryKey: ['kept-runs'] })
}

export async function textOfRun(id: string) {
  return (await store()).get('runs', id)
}
