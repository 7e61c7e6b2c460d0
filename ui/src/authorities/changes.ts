// What changed of authorities, and the links to titles that could not follow: the newest first, page by page by their
// time.
import { queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'
import type { Named } from '#/lib/names'

/** Kinds of changes, by FOLIO's names, and the links that failed. */
export const CHANGES = {
  headings: 'UPDATE_HEADING',
  numbers: 'UPDATE_NATURAL_ID',
  deleted: 'DELETE',
  failed: undefined,
} as const
export type ChangesOf = keyof typeof CHANGES
export const CHANGES_OF = Object.keys(CHANGES) as ChangesOf[]

export interface Days {
  /** The first and the last day. */
  from?: string
  to?: string
}

export interface Change {
  id: string
  authorityId?: string
  headingOld?: string
  headingNew?: string
  headingTypeNew?: string
  naturalIdOld?: string
  naturalIdNew?: string
  sourceFileNew?: string
  startedAt?: string
  by?: Named
  /** Of a link that failed. */
  instanceId?: string
  title?: string
  tag?: string
  why?: string
}

interface Stat extends Change {
  metadata?: {
    startedAt?: string
    startedByUserFirstName?: string
    startedByUserLastName?: string
  }
  instanceTitle?: string
  bibRecordTag?: string
  authorityNaturalId?: string
  updatedAt?: string
  errorCause?: string
}

interface Answer {
  stats: Stat[]
  /** The instant of the first one that was left out. */
  next?: string
}

const PAGE = 100
const FILE_PAGE = 5_000

function changeOf({ metadata, ...one }: Stat, at: number): Change {
  if (metadata)
    return {
      ...one,
      startedAt: metadata.startedAt,
      by: {
        firstName: metadata.startedByUserFirstName,
        lastName: metadata.startedByUserLastName,
      },
    }
  return {
    // Links have no ids here.
    id: `${one.instanceId} ${one.bibRecordTag} ${one.updatedAt} ${at}`,
    instanceId: one.instanceId,
    title: one.instanceTitle,
    tag: one.bibRecordTag,
    naturalIdNew: one.authorityNaturalId,
    startedAt: one.updatedAt,
    why: one.errorCause,
  }
}

async function find(of: ChangesOf, { from, to }: Days, limit: number, signal: AbortSignal) {
  const action = CHANGES[of]
  const path = action ? '/links/stats/authority' : '/links/stats/instance'
  const { stats, next } = await get<Answer>(
    path,
    {
      ...(action ? { action } : { status: 'ERROR' }),
      ...(from ? { fromDate: from.includes('T') ? from : `${from}T00:00:00Z` } : {}),
      ...(to ? { toDate: to.includes('T') ? to : `${to}T23:59:59.999999Z` } : {}),
      limit,
    },
    signal,
  )
  return { changes: stats.map(changeOf), next }
}

export const changesQuery = (of: ChangesOf, days: Days, pages: number) =>
  queryOptions({
    queryKey: ['authorities', 'changes', of, days.from, days.to, pages],
    queryFn: ({ signal }) => find(of, days, pages * PAGE, signal),
    staleTime: 0,
  })

/** All of them, for a file. */
export async function everyChange(of: ChangesOf, days: Days, signal: AbortSignal) {
  const changes = new Map<string, Change>()
  let to = days.to
  for (;;) {
    const page = await find(of, { from: days.from, to }, FILE_PAGE, signal)
    for (const one of page.changes) changes.set(one.id, one)
    // More at one instant than a page has would come again and again.
    if (!page.next || page.next === to) return [...changes.values()]
    to = page.next
  }
}
