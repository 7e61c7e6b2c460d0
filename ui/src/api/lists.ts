// FOLIO's reference lists, whole, by name: ids in records become words, forms offer them.
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { get } from './client'
import { answersOf, queryClient } from './query'

export interface Listed {
  id: string
  name: string
  code?: string
  [field: string]: unknown
}

const ROUTES = {
  locations: '/locations',
  libraries: '/location-units/libraries',
  materialTypes: '/material-types',
  loanTypes: '/loan-types',
  instanceTypes: '/instance-types',
  instanceFormats: '/instance-formats',
  instanceRelationshipTypes: '/instance-relationship-types',
  instanceStatuses: '/instance-statuses',
  modesOfIssuance: '/modes-of-issuance',
  natureOfContent: '/nature-of-content-terms',
  statisticalCodes: '/statistical-codes',
  statisticalCodeTypes: '/statistical-code-types',
  identifierTypes: '/identifier-types',
  contributorTypes: '/contributor-types',
  contributorNameTypes: '/contributor-name-types',
  classificationTypes: '/classification-types',
  alternativeTitleTypes: '/alternative-title-types',
  subjectSources: '/subject-sources',
  subjectTypes: '/subject-types',
  electronicAccess: '/electronic-access-relationships',
  instanceNoteTypes: '/instance-note-types',
  holdingsNoteTypes: '/holdings-note-types',
  itemNoteTypes: '/item-note-types',
  holdingsTypes: '/holdings-types',
  holdingsSources: '/holdings-sources',
  callNumberTypes: '/call-number-types',
  illPolicies: '/ill-policies',
  damagedStatuses: '/item-damaged-statuses',
} as const

export type ListName = keyof typeof ROUTES
const PART = 1000

async function all(route: string, signal: AbortSignal): Promise<Listed[]> {
  const found: Listed[] = []
  for (;;) {
    const query = { query: 'cql.allRecords=1 sortby name', limit: PART, offset: found.length }
    const answer = await get<Record<string, unknown>>(route, query, signal)
    const part = (Object.values(answer).find(Array.isArray) ?? []) as Listed[]
    found.push(...part)
    if (part.length < PART) return found
  }
}

export const listQuery = (name: ListName) =>
  queryOptions({
    queryKey: ['list', name],
    queryFn: ({ signal }) => all(ROUTES[name], signal),
    staleTime: 10 * 60_000,
  })

/** For loaders. */
export const loadLists = (...names: ListName[]) =>
  Promise.all(names.map((name) => queryClient.ensureQueryData(listQuery(name))))

export type Names = (list: ListName, id: string | undefined) => string | undefined

/** Words for ids of these lists; undefined until a list is here, or where it lacks the id. */
export function useNames(...names: ListName[]): Names {
  const lists = useQueries({ queries: names.map(listQuery), combine: answersOf })
  const order = names.join()
  return useCallback(
    (list, id) => lists[order.split(',').indexOf(list)]?.find((one) => one.id === id)?.name,
    [lists, order],
  )
}

export const useList = (name: ListName): readonly Listed[] => useQuery(listQuery(name)).data ?? []
