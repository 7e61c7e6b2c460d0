// The lists of headings that can be browsed, and a page of one around a value.
import { queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'

interface List {
  id: string
  path: string
  field: string
  /** The option of the search that finds a heading's titles. */
  by: string
}

export const LISTS = [
  { id: 'contributors', path: 'contributors', field: 'name', by: 'contributor' },
  { id: 'subjects', path: 'subjects', field: 'value', by: 'subject' },
  { id: 'callNumbers', path: 'call-numbers/all', field: 'fullCallNumber', by: 'callNumber' },
  { id: 'dewey', path: 'call-numbers/dewey', field: 'fullCallNumber', by: 'callNumber' },
  { id: 'lc', path: 'call-numbers/lc', field: 'fullCallNumber', by: 'callNumber' },
  { id: 'nlm', path: 'call-numbers/nlm', field: 'fullCallNumber', by: 'callNumber' },
  { id: 'sudoc', path: 'call-numbers/sudoc', field: 'fullCallNumber', by: 'callNumber' },
  { id: 'other', path: 'call-numbers/other', field: 'fullCallNumber', by: 'callNumber' },
  {
    id: 'classification',
    path: 'classification-numbers/all',
    field: 'number',
    by: 'classification',
  },
] as const satisfies readonly List[]

export type BrowseList = (typeof LISTS)[number]

export const listOf = (id: string | undefined): BrowseList =>
  LISTS.find((one) => one.id === id) ?? LISTS[0]

export interface Heading {
  name?: string
  value?: string
  fullCallNumber?: string
  classificationNumber?: string
  instanceTitle?: string
  contributorNameTypeId?: string
  totalRecords?: number
  isAnchor?: boolean
}

export interface HeadingPage {
  items: Heading[]
  totalRecords: number
  prev?: string
  next?: string
}

export const headingText = (one: Heading): string =>
  one.name ?? one.value ?? one.fullCallNumber ?? one.classificationNumber ?? ''

const SIZE = 50
const BEFORE = 5

/** `way`: around the value, or only what comes after or before it. */
export const browseQuery = (list: BrowseList, from: string, way: 'around' | 'after' | 'before') =>
  queryOptions({
    queryKey: ['inventory', 'browse', list.id, from, way],
    queryFn: ({ signal }) => {
      // An empty value matches nothing; a blank comes before all headings.
      const value = `"${(from || ' ').replace(/[\\"*?^]/g, '\\$&')}"`
      const { field } = list
      const query = {
        around: `${field}>=${value} or ${field}<${value}`,
        after: `${field}>=${value}`,
        before: `${field}<=${value}`,
      }[way]
      return get<HeadingPage>(
        `/browse/${list.path}/instances`,
        {
          query,
          limit: SIZE,
          highlightMatch: way === 'around' && from !== '',
          precedingRecordsCount: way === 'around' ? BEFORE : undefined,
        },
        signal,
      )
    },
  })
