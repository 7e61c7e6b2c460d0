// A list of acquisitions by its description: the address as CQL and as windows of rows.
import { get } from '#/api/client'
import { all, anyOf, equals, quoted } from '#/api/cql'
import type { Id } from '#/api/types'
import { prefix } from '../queries'
import { FACETS, type FacetName, type ListSearch } from './search'

export interface ListKind {
  /** FOLIO's route and the property of its answer. */
  path: string
  rows: string
  /** What all rows of the list have, as CQL. */
  base?: string
  /** Searched by words; by the beginning of a word; by the beginning; by the whole value. */
  words?: readonly string[]
  starts?: readonly string[]
  begins?: readonly string[]
  whole?: readonly string[]
  sorts: Readonly<Record<string, string>>
  sort: string
  /** The index of each facet; `true` and `false` are values of flags. */
  facets: Partial<Record<FacetName, string>>
}

export function cqlOf(kind: ListKind, search: ListSearch): string {
  const q = search.q?.trim()
  const typed = q
    ? [
        ...(kind.words ?? []).map((index) => `${index} all ${quoted(q)}`),
        ...(kind.starts ?? []).map((index) => `${index}=${prefix(q)}`),
        ...(kind.begins ?? []).map((index) => `${index}==${prefix(q)}`),
        ...(kind.whole ?? []).map((index) => equals(index, q)),
      ].join(' or ')
    : undefined
  return all(
    kind.base,
    typed ? `(${typed})` : undefined,
    ...FACETS.map((name) => {
      const index = kind.facets[name]
      const chosen = search[name]
      return index && chosen?.length ? anyOf(index, chosen) : undefined
    }),
  )
}

export function sortOf(kind: ListKind, sort = kind.sort): string {
  const key = kind.sorts[sort.replace(/^-/, '')] ?? kind.sorts[kind.sort.replace(/^-/, '')] ?? 'id'
  return sort.startsWith('-') ? `${key}/sort.descending` : key
}

export const sourceOf = <T extends Id>(kind: ListKind, search: ListSearch) => ({
  key: ['acq', 'rows', kind.path, kind.base, search] as const,
  load: async (offset: number, limit: number, signal: AbortSignal) => {
    const query = `${cqlOf(kind, search)} sortby ${sortOf(kind, search.sort)}`
    const answer = await get<Record<string, unknown>>(kind.path, { query, offset, limit }, signal)
    return { rows: (answer[kind.rows] ?? []) as T[], total: Number(answer.totalRecords ?? 0) }
  },
})

export async function countOf(kind: ListKind, search: ListSearch, signal: AbortSignal) {
  const query = { query: cqlOf(kind, search), limit: 0 }
  return (await get<{ totalRecords: number }>(kind.path, query, signal)).totalRecords
}

/** A list without an index of words is not searched by them. */
export const hasWords = ({ words, starts, begins, whole }: ListKind): boolean =>
  [words, starts, begins, whole].some((one) => one?.length)
