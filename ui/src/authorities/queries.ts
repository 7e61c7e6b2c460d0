// Authorities: forms of headings in windows, one record with its forms, its titles and its source file.
import { queryOptions } from '@tanstack/react-query'
import { get, post } from '#/api/client'
import { equals } from '#/api/cql'
import { marcIfAny } from '#/marc/queries'
import type { Window } from '#/ui/useWindows'
import { type AuthoritySearch, queryOf } from './search'
import type { Authority, Form, SourceFile } from './types'

/** The route lists no row behind this one. */
const LISTED_MAX = 10_000

interface Answer {
  totalRecords: number
  authorities: Form[]
}

const find = (query: string, offset: number, limit: number, signal: AbortSignal) =>
  get<Answer>('/search/authorities', { query, offset, limit }, signal)

export const formsOf = (search: AuthoritySearch) => {
  const query = queryOf(search)
  return {
    key: ['authorities', 'forms', query],
    most: LISTED_MAX,
    load: async (offset: number, limit: number, signal: AbortSignal): Promise<Window<Form>> => {
      const found = await find(query, offset, Math.min(limit, LISTED_MAX - offset), signal)
      return { total: found.totalRecords, rows: found.authorities }
    },
  }
}

export const countOf = async (query: string, signal: AbortSignal) =>
  (await find(query, 0, 0, signal)).totalRecords

/** How many forms of headings there are in all. */
export const everythingQuery = queryOptions({
  queryKey: ['authorities', 'everything'],
  queryFn: ({ signal }) => countOf('cql.allRecords=1', signal),
  staleTime: 5 * 60_000,
})

export const authorityQuery = (id: string) =>
  queryOptions({
    queryKey: ['authority', id],
    queryFn: ({ signal }) =>
      get<Authority>(`/authority-storage/authorities/${id}`, undefined, signal),
  })

const FORMS_MAX = 500

/** All forms of the heading of one authority, the authorized one first. */
export const ownFormsQuery = (id: string) =>
  queryOptions({
    queryKey: ['authority', id, 'forms'],
    queryFn: async ({ signal }) => {
      const query = `${equals('id', id)} sortby authRefType`
      return (await find(query, 0, FORMS_MAX, signal)).authorities
    },
  })

/** The form that titles have, with their number. */
export const authorizedOf = (forms: readonly Form[]): Form | undefined =>
  forms.find((one) => one.authRefType === 'Authorized')

/** The MARC record, where the authority has one. */
export const recordQuery = (id: string) =>
  queryOptions({
    queryKey: ['marc', id, 'if any'],
    queryFn: ({ signal }) => marcIfAny(id, signal),
  })

const FILES_MAX = 1000

export const sourceFilesQuery = queryOptions({
  queryKey: ['authorities', 'source-files'],
  queryFn: async ({ signal }) => {
    const query = { query: 'cql.allRecords=1 sortby name', limit: FILES_MAX }
    const path = '/authority-source-files'
    return (await get<{ authoritySourceFiles: SourceFile[] }>(path, query, signal))
      .authoritySourceFiles
  },
  staleTime: 10 * 60_000,
})

/** The next number of a file that gives numbers of its own. */
export const nextNumber = async (file: string) =>
  (await post<{ hrid: string }>(`/authority-source-files/${file}/hrid`, undefined)).hrid

/** The search of the inventory that finds the titles of an authority. */
export const titlesOf = (id: string) => ({ by: 'authority', q: id })

export interface LinkedTitle {
  id: string
  title: string
  contributors?: { name: string }[]
}

const TITLES_SHOWN = 10

export const linkedTitlesQuery = (id: string) =>
  queryOptions({
    queryKey: ['authority', id, 'titles'],
    queryFn: ({ signal }) => {
      const query = `${equals('authorityId', id)} sortby title`
      return get<{ totalRecords: number; instances: LinkedTitle[] }>(
        '/search/instances',
        { query, limit: TITLES_SHOWN },
        signal,
      )
    },
  })
