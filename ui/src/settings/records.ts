// The records of a kind: all of them, by pages, in the order of their names.
import { queryOptions } from '@tanstack/react-query'
import { request } from '#/api/client'
import type { Source } from './kinds'
import type { Values } from './paths'

const PAGE = 1000

export type Row = Values & { id: string }

export const nameOf = (row: Values, { name }: Source): string =>
  // Octavo's own templates have only a description.
  String(row[name] ?? row.description ?? row.id ?? '')

export const recordsQuery = (source: Source) =>
  queryOptions({
    queryKey: ['settings', source.path, source.where],
    queryFn: async ({ signal }): Promise<Row[]> => {
      const rows: Row[] = []
      const headers = await source.headers?.()
      for (;;) {
        const query = {
          query: `${source.where ?? 'cql.allRecords=1'} sortby id`,
          limit: PAGE,
          offset: rows.length,
        }
        const answer = await request<Record<string, Row[]>>(source.path, {
          query,
          signal,
          headers,
        })
        const page = answer[source.key] ?? []
        rows.push(...page)
        if (page.length < PAGE) break
      }
      const shown = source.row ? rows.map((row) => source.row?.(row) as Row) : rows
      return shown.toSorted((one, other) =>
        nameOf(one, source).localeCompare(nameOf(other, source), undefined, { numeric: true }),
      )
    },
    staleTime: 30_000,
  })
