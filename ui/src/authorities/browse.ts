// The lists of headings that can be browsed, and a part of one around a heading.
import { queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'
import { anyOf, equals } from '#/api/cql'
import type { Way } from '#/search/BrowseFrame'
import type { Form } from './types'

const NAMES = ['Personal Name', 'Corporate Name', 'Conference Name']
const plain = (...kinds: string[]) => `isTitleHeadingRef==false and ${anyOf('headingType', kinds)}`

/** Their ids are those of the options of a search, and name the same texts. */
export const LISTS: readonly { id: string; with: string }[] = [
  { id: 'personalName', with: plain('Personal Name') },
  { id: 'corporateName', with: plain('Corporate Name', 'Conference Name') },
  { id: 'geographicName', with: plain('Geographic Name') },
  { id: 'nameTitle', with: `isTitleHeadingRef==true and ${anyOf('headingType', NAMES)}` },
  { id: 'uniformTitle', with: plain('Uniform Title') },
  { id: 'subject', with: plain('Topical') },
  { id: 'childrenSubject', with: `${plain('Topical')} and ${equals('subjectHeadings', 'b')}` },
  { id: 'genre', with: plain('Genre') },
]

export const listOf = (id: string | undefined) =>
  LISTS.find((one) => one.id === id) ?? (LISTS[0] as (typeof LISTS)[number])

export interface Heading {
  headingRef: string
  isAnchor?: boolean
  /** None where the heading is only what was asked for. */
  authority?: Form
}

interface Part {
  items: Heading[]
  totalRecords: number
  prev?: string
  next?: string
}

const SIZE = 50
const BEFORE = 5

/** `way`: around the heading, or only what comes after or before it. */
export const browseQuery = (list: (typeof LISTS)[number], from: string, way: Way) =>
  queryOptions({
    queryKey: ['authorities', 'browse', list.id, from, way],
    queryFn: ({ signal }) => {
      // An empty heading matches nothing; a blank comes before all.
      const value = `"${(from || ' ').replace(/[\\"*?^]/g, '\\$&')}"`
      const place = {
        around: `(headingRef>=${value} or headingRef<${value})`,
        after: `headingRef>=${value}`,
        before: `headingRef<=${value}`,
      }[way]
      return get<Part>(
        '/browse/authorities',
        {
          query: `${place} and ${list.with}`,
          limit: SIZE,
          highlightMatch: way === 'around' && from !== '',
          precedingRecordsCount: way === 'around' ? BEFORE : undefined,
        },
        signal,
      )
    },
  })
