// The fees of a patron, and the lists that an act on them chooses from.
import { queryOptions } from '@tanstack/react-query'
import { allPages } from '#/api/allPages'
import { all, anyOf, equals } from '#/api/cql'
import type { Id } from '#/api/types'
import type { Account, FeeAct, FeeAction, FeeState } from './types'

export const feesQuery = (userId: string, state: FeeState) =>
  queryOptions({
    queryKey: ['patrons', userId, 'fees', state],
    queryFn: ({ signal }) => {
      const status =
        state === 'all' ? undefined : equals('status.name', state === 'open' ? 'Open' : 'Closed')
      return allPages<Account>(
        '/accounts',
        'accounts',
        `${all(equals('userId', userId), status)} sortby metadata.createdDate/sort.descending`,
        signal,
      )
    },
  })

export const feeActionsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['fees', accountId, 'actions'],
    queryFn: ({ signal }) =>
      allPages<FeeAction>(
        '/feefineactions',
        'feefineactions',
        `${equals('accountId', accountId)} sortby dateAction/sort.descending`,
        signal,
      ),
  })

/** All actions on these fees: what can be refunded follows from them. */
export const actionsOfQuery = (accountIds: readonly string[]) =>
  queryOptions({
    queryKey: ['fees', accountIds, 'all-actions'],
    queryFn: ({ signal }) =>
      allPages<FeeAction>(
        '/feefineactions',
        'feefineactions',
        `${anyOf('accountId', accountIds)} sortby id`,
        signal,
      ),
    staleTime: 0,
  })

export interface Owner extends Id {
  owner: string
  servicePointOwner?: { value: string; label?: string }[]
}

export const ownersQuery = queryOptions({
  queryKey: ['fee-owners'],
  queryFn: ({ signal }) =>
    allPages<Owner>('/owners', 'owners', 'cql.allRecords=1 sortby owner', signal),
  staleTime: 10 * 60_000,
})

export interface FeeType extends Id {
  feeFineType: string
  defaultAmount?: number
  automatic?: boolean
}

export const feeTypesQuery = (ownerId: string) =>
  queryOptions({
    queryKey: ['fee-types', ownerId],
    queryFn: ({ signal }) =>
      allPages<FeeType>(
        '/feefines',
        'feefines',
        `${equals('ownerId', ownerId)} sortby feeFineType`,
        signal,
      ),
    staleTime: 10 * 60_000,
  })

/** What an act names as its method: FOLIO keeps each kind in a list of its own. */
export const methodsQuery = (act: FeeAct, ownerId: string | undefined) =>
  queryOptions({
    queryKey: ['fee-methods', act, act === 'pay' || act === 'transfer' ? ownerId : ''],
    queryFn: async ({ signal }): Promise<string[]> => {
      const own = ownerId ? equals('ownerId', ownerId) : 'cql.allRecords=1'
      const any = 'cql.allRecords=1'
      if (act === 'pay') {
        type Method = { nameMethod: string }
        return (await allPages<Method>('/payments', 'payments', own, signal)).map(
          (one) => one.nameMethod,
        )
      }
      if (act === 'waive') {
        type Reason = { nameReason: string }
        return (await allPages<Reason>('/waives', 'waivers', any, signal)).map(
          (one) => one.nameReason,
        )
      }
      if (act === 'transfer') {
        type Place = { accountName: string }
        return (await allPages<Place>('/transfers', 'transfers', own, signal)).map(
          (one) => one.accountName,
        )
      }
      if (act === 'refund') {
        type Reason = { nameReason: string }
        return (await allPages<Reason>('/refunds', 'refunds', any, signal)).map(
          (one) => one.nameReason,
        )
      }
      return []
    },
  })
