// What several pages of acquisitions ask for. All of it is under the key `acq`, which every act of theirs makes stale.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { allPages } from '#/api/allPages'
import { get } from '#/api/client'
import { all, anyOf, equals, quoted } from '#/api/cql'
import { queryClient } from '#/api/query'
import type { Id } from '#/api/types'
import type { Option } from '#/ui/Lookup'
import type { FiscalYear, Fund, Group, Ledger, Organization } from './types'

/** A record by its route and id. */
export const recordQuery = <T extends Id>(path: string, id: string, query?: string) =>
  queryOptions({
    queryKey: ['acq', 'record', path, id, query],
    queryFn: ({ signal }) => get<T>(`${path}/${id}${query ? `?${query}` : ''}`, undefined, signal),
    // Whoever opens a record acts on it: it has to be the one of now.
    staleTime: 0,
  })

/** All records of a list that belong to one record. */
export const ofQuery = <T>(path: string, key: string, cql: string) =>
  queryOptions({
    queryKey: ['acq', 'of', path, cql],
    queryFn: ({ signal }) => allPages<T>(path, key, cql, signal),
    staleTime: 0,
  })

const list = <T>(path: string, key: string, sort = 'name') =>
  queryOptions({
    queryKey: ['acq', 'list', path],
    queryFn: ({ signal }) => allPages<T>(path, key, `cql.allRecords=1 sortby ${sort}`, signal),
  })

export const fundsQuery = list<Fund>('/finance/funds', 'funds', 'code')
export const ledgersQuery = list<Ledger>('/finance/ledgers', 'ledgers')
export const yearsQuery = list<FiscalYear>(
  '/finance/fiscal-years',
  'fiscalYears',
  'periodStart/sort.descending',
)
interface Named extends Id {
  name: string
  code?: string
}
export const classesQuery = list<Named>('/finance/expense-classes', 'expenseClasses')
export const fundTypesQuery = list<Named>('/finance/fund-types', 'fundTypes')
export const typesQuery = list<Named>(
  '/organizations-storage/organization-types',
  'organizationTypes',
)
export const groupsQuery = list<Group>('/finance/groups', 'groups')
export const categoriesQuery = list<Id & { value: string }>(
  '/organizations-storage/categories',
  'categories',
  'value',
)
export const accountTypesQuery = list<Named>(
  '/organizations-storage/banking-account-types',
  'bankingAccountTypes',
)
export const batchGroupsQuery = list<Named>('/batch-groups', 'batchGroups')
export const methodsQuery = list<Id & { value: string }>(
  '/orders/acquisition-methods',
  'acquisitionMethods',
  'value',
)
export const closureQuery = list<Id & { reason: string }>(
  '/orders-storage/configuration/reasons-for-closure',
  'reasonsForClosure',
  'reason',
)

export const currentYear = (years: readonly FiscalYear[] | undefined, now = Date.now()) =>
  years?.find(({ periodStart, periodEnd }) => {
    return Date.parse(periodStart) <= now && now <= Date.parse(periodEnd)
  }) ?? years?.[0]

const configured = (kind: 'prefixes' | 'suffixes') =>
  list<Named>(`/orders/configuration/${kind}`, kind)
export const prefixesQuery = configured('prefixes')
export const suffixesQuery = configured('suffixes')
export const unitsQuery = list<Named>('/acquisitions-units/units', 'acquisitionsUnits')

/** Organizations whose name or code fits the words. */
export async function findOrganizations(words: string, signal: AbortSignal): Promise<Option[]> {
  const cql = all(
    words
      ? `(name all ${quoted(`${words}`)} or name=${prefix(words)} or code=${prefix(words)})`
      : undefined,
  )
  const { organizations } = await get<{ organizations: Organization[] }>(
    '/organizations/organizations',
    { query: `${cql} sortby name`, limit: 20 },
    signal,
  )
  return organizations.map(({ id, name, code }) => ({ id, text: name, detail: code }))
}

/** Words as the beginning of a value. */
export const prefix = (words: string): string => `${quoted(words.trim()).slice(0, -1)}*"`

const organizationsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['acq', 'organizations', ids],
    queryFn: async ({ signal }) => {
      const { organizations } = await get<{ organizations: Organization[] }>(
        '/organizations/organizations',
        { query: anyOf('id', ids), limit: ids.length },
        signal,
      )
      return organizations
    },
    enabled: ids.length > 0,
    staleTime: 5 * 60_000,
  })

export const organizationOf = (id: string | undefined) => organizationsQuery(id ? [id] : [])

/** Names of organizations by id, for the rows in view. */
export function useOrganizationNames(ids: readonly (string | undefined)[]) {
  const wanted = [...new Set(ids.flatMap((id) => (id ? [id] : [])))].sort()
  const { data } = useQuery({ ...organizationsQuery(wanted), placeholderData: (before) => before })
  return (id: string | undefined) => data?.find((one) => one.id === id)?.name
}

/** For loaders of forms that offer funds. */
export const loadFunds = () =>
  Promise.all([
    queryClient.ensureQueryData(fundsQuery),
    queryClient.ensureQueryData(classesQuery).catch(() => []),
  ])

export const changed = () => queryClient.invalidateQueries({ queryKey: ['acq'] })

export { equals }
