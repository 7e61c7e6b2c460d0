// The loans of a patron, with what the list shows beside them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { allPages } from '#/api/allPages'
import { get } from '#/api/client'
import { all, anyOf, equals } from '#/api/cql'
import type { Id } from '#/api/types'
import { optional } from '../queries'
import type { History, PatronLoan } from './types'

export type LoanState = 'open' | 'closed'
export const LOANS_PAGE = 100

const loansPage = (
  [userId, state, sort]: readonly [string, LoanState, string],
  limit: number,
  offset: number,
  signal: AbortSignal,
) => {
  const status = equals('status.name', state === 'open' ? 'Open' : 'Closed')
  const query = `${all(equals('userId', userId), status)} sortby ${sort}`
  return get<{ loans: PatronLoan[]; totalRecords: number }>(
    '/circulation/loans',
    { query, limit, offset },
    signal,
  )
}

/** The list for a file: equal dates stay in their order, so that none is read twice. */
export const everyLoan =
  (userId: string, state: LoanState, sort: string) =>
  async (offset: number, limit: number, signal: AbortSignal) => {
    const of = [userId, state, `${sort} id`] as const
    const { loans, totalRecords } = await loansPage(of, limit, offset, signal)
    return { rows: loans, total: totalRecords }
  }

export const loansQuery = (userId: string, state: LoanState, sort: string) =>
  infiniteQueryOptions({
    queryKey: ['patrons', userId, 'loans', state, sort],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      loansPage([userId, state, sort], LOANS_PAGE, pageParam, signal),
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, page) => sum + page.loans.length, 0)
      return last.loans.length && shown < last.totalRecords ? shown : undefined
    },
  })

export const loanQuery = (id: string) =>
  queryOptions({
    queryKey: ['loans', id],
    queryFn: ({ signal }) => get<PatronLoan>(`/circulation/loans/${id}`, undefined, signal),
  })

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ['loans', id, 'history'],
    queryFn: ({ signal }) =>
      allPages<History>(
        '/loan-storage/loan-history',
        'loansHistory',
        `${equals('loan.id', id)} sortby createdDate/sort.descending`,
        signal,
      ),
  })

/** How many open requests wait for these items. */
export const waitingQuery = (itemIds: readonly string[]) =>
  queryOptions({
    queryKey: ['requests', 'of-items', itemIds],
    queryFn: async ({ signal }) => {
      const counts: Record<string, number> = {}
      for (let at = 0; at < itemIds.length; at += LOANS_PAGE) {
        const part = itemIds.slice(at, at + LOANS_PAGE)
        const query = `${anyOf('itemId', part)} and status=="Open*"`
        const found = await optional(
          () => allPages<{ itemId?: string }>('/circulation/requests', 'requests', query, signal),
          [],
        )
        for (const { itemId } of found) if (itemId) counts[itemId] = (counts[itemId] ?? 0) + 1
      }
      return counts
    },
    enabled: itemIds.length > 0,
  })

export interface LoanPolicy extends Id {
  name: string
  renewable?: boolean
  renewalsPolicy?: { unlimited?: boolean; numberAllowed?: number }
}

/** How often the policies allow a renewal. Policies are few; they are read once. */
export const loanPoliciesQuery = queryOptions({
  queryKey: ['loan-policies'],
  queryFn: ({ signal }) =>
    optional(
      () =>
        allPages<LoanPolicy>(
          '/loan-policy-storage/loan-policies',
          'loanPolicies',
          'cql.allRecords=1',
          signal,
        ),
      [],
    ),
  staleTime: 10 * 60_000,
})
