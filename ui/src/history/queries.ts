// The history of a record, the latest first, page by page.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'
import { optional, usersByIds } from '#/patrons/queries'
import { between, type Change, type Diff, ofDiff } from './changes'
import { HISTORIES, type HistoryKind } from './kinds'

export type Action = 'created' | 'changed' | 'deleted'

export interface Entry {
  id: string
  at: string
  action: Action
  userId: string | undefined
  /** Undefined where the version before is on the next page. */
  changes: Change[] | undefined
}

interface Page {
  entries: Told[]
  total: number
}

/** An entry as the server has it: with what differs, or with the content. */
interface Told {
  id: string
  at: string
  ms?: number
  action: Action
  userId: string | undefined
  changes?: Change[]
  content?: unknown
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
const PAGE = 20

const ACTIONS: Record<string, Action> = {
  Create: 'created',
  CREATE: 'created',
  CREATED: 'created',
  Delete: 'deleted',
  DELETE: 'deleted',
  DELETED: 'deleted',
}

interface Answered {
  [list: string]: unknown
  totalRecords?: number
  totalItems?: number
}

interface Row {
  id?: string
  eventId?: string
  eventTs?: number
  eventDate: string
  actionDate?: string
  action: string
  userId?: string
  diff?: Diff
  [property: string]: unknown
}

function told(row: Row): Told {
  const snapshot = Object.keys(row).find((name) => name.endsWith('Snapshot'))
  return {
    id: row.id ?? row.eventId ?? '',
    at: row.actionDate ?? row.eventDate,
    ms: row.eventTs,
    action: ACTIONS[row.action] ?? 'changed',
    userId: row.userId === NOBODY ? undefined : row.userId,
    ...(snapshot ? { content: row[snapshot] } : { changes: ofDiff(row.diff) }),
  }
}

interface From {
  offset: number
  before: number | undefined
}

export const historyQuery = (kind: HistoryKind, id: string) =>
  infiniteQueryOptions({
    queryKey: ['history', kind, id],
    // What somebody has just saved is there at once.
    staleTime: 0,
    initialPageParam: { offset: 0, before: undefined } as From,
    queryFn: async ({ pageParam: { offset, before }, signal }): Promise<Page> => {
      const { path } = HISTORIES[kind]
      const query = path.includes('/acquisition/')
        ? { limit: PAGE, offset: offset || undefined }
        : { eventTs: before }
      const answer = await get<Answered>(`${path}/${id}`, query, signal)
      const rows = (Object.values(answer).find(Array.isArray) ?? []) as Row[]
      return {
        entries: rows.map(told),
        total: answer.totalItems ?? answer.totalRecords ?? rows.length,
      }
    },
    getNextPageParam: (last, pages): From | undefined => {
      const offset = pages.reduce((sum, page) => sum + page.entries.length, 0)
      const isAll = !last.entries.length || offset >= last.total
      return isAll ? undefined : { offset, before: last.entries.at(-1)?.ms }
    },
  })

/** The entries of the pages that are here. */
export function entriesOf(pages: readonly Page[]): Entry[] {
  const all = pages.flatMap((page) => page.entries)
  return all.map(({ id, at, action, userId, changes, content }, index) => ({
    id,
    at,
    action,
    userId,
    changes: changes ?? changesOf(content, all[index + 1], action),
  }))
}

function changesOf(content: unknown, older: Told | undefined, action: Action) {
  if (action !== 'changed') return []
  return older && between(older.content, content)
}

/** Who they were: what the person may not read has no names. */
export const editorsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['history-editors', ids],
    queryFn: ({ signal }) => optional(() => usersByIds(ids, signal), new Map()),
    enabled: ids.length > 0,
  })
