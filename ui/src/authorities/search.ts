// What a search of authorities is, as the address keeps it, and its CQL for mod-search's routes.
import { anyOf, equals, quoted } from '#/api/cql'

/** Kinds of headings by their properties; references have the same with `sft` and `saft` before them. */
const NAMES = ['personalName', 'corporateName', 'meetingName']

interface Option {
  id: string
  /** Headings that are searched for words, in all their forms. */
  headings?: readonly string[]
  /** What every hit has, too. */
  with?: string
}

/** What can be searched by, with what FOLIO's staff search by first. The ids are in the address and name the texts. */
export const OPTIONS: readonly Option[] = [
  { id: 'keyword' },
  { id: 'identifier' },
  { id: 'lccn' },
  { id: 'personalName', headings: ['personalName'] },
  { id: 'corporateName', headings: ['corporateName', 'meetingName'] },
  { id: 'geographicName', headings: ['geographicName'] },
  { id: 'nameTitle', headings: NAMES.map((one) => `${one}Title`) },
  { id: 'uniformTitle', headings: ['uniformTitle'] },
  { id: 'subject', headings: ['topicalTerm'] },
  { id: 'childrenSubject', headings: ['topicalTerm'], with: equals('subjectHeadings', 'b') },
  { id: 'genre', headings: ['genreTerm'] },
  { id: 'query' },
]

export const optionOf = (by: string | undefined): Option =>
  OPTIONS.find(({ id }) => id === by) ?? (OPTIONS[0] as Option)

/** Facets that the server counts; the form of the heading is counted by searches; days are ranges. */
export const COUNTED = ['sourceFileId', 'headingType', 'subjectHeadings'] as const
export const FORMS = 'authRefType'
export const RANGES: readonly string[] = ['metadata.createdDate', 'metadata.updatedDate']
export const FACETS: readonly string[] = [FORMS, ...COUNTED, ...RANGES]

export const SORTS = ['headingRef', 'headingType', 'authRefType'] as const

export interface AuthoritySearch {
  by?: string
  q?: string
  /** A sort key; with "-" from the end. */
  sort?: string
  /** Chosen values of facets. Of ranges: from and to, either may be empty. */
  f?: Record<string, string[]>
}

/** The words as typed; the last one is taken as a beginning unless a blank ends it. "*" stays what it is. */
function words(text: string): string {
  const open = /[\p{L}\p{N}]$/u.test(text) && text.trim().length > 1
  return `"${text.trim().replace(/[\\"^]/g, '\\$&')}${open ? '*' : ''}"`
}

const forms = (property: string) => {
  const capital = property.charAt(0).toUpperCase() + property.slice(1)
  return [property, `sft${capital}`, `saft${capital}`]
}

function clause({ id, headings, with: also }: Option, text: string): string {
  const value = text.trim()
  if (id === 'query') return `(${value})`
  if (id === 'identifier')
    return `(${equals('identifiers.value', value)} or ${equals('naturalId', value)})`
  if (id === 'lccn') return `lccn=${quoted(value)}`
  if (!headings) return `keyword all ${words(text)}`
  const any = headings
    .flatMap(forms)
    .map((index) => `${index} all ${words(text)}`)
    .join(' or ')
  return also ? `(${any}) and ${also}` : `(${any})`
}

function facet([index, values]: [string, string[]]): string | undefined {
  if (!RANGES.includes(index)) return values.length ? anyOf(index, values) : undefined
  const [from, to] = values
  const parts = [
    from && `${index}>=${quoted(from)}`,
    to && `${index}<=${quoted(`${to}T23:59:59.999Z`)}`,
  ]
  return parts.filter(Boolean).join(' and ') || undefined
}

/** The condition without order; everything where nothing is asked for. */
export function conditionOf({ by, q, f = {} }: AuthoritySearch): string {
  const parts = [q?.trim() ? clause(optionOf(by), q) : undefined, ...Object.entries(f).map(facet)]
  return parts.filter(Boolean).join(' and ') || 'cql.allRecords=1'
}

export interface Order {
  by: (typeof SORTS)[number]
  descending: boolean
}

export function orderOf({ sort = 'headingRef' }: AuthoritySearch): Order {
  const by = SORTS.find((one) => one === sort.replace(/^-/, '')) ?? 'headingRef'
  return { by, descending: sort.startsWith('-') }
}

export function queryOf(search: AuthoritySearch): string {
  const { by, descending } = orderOf(search)
  return `${conditionOf(search)} sortby ${by}${descending ? '/sort.descending' : ''}`
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** What an address may say; everything else is left out. */
export function validSearch(raw: Record<string, unknown>): AuthoritySearch {
  const facets = Object.entries((raw.f ?? {}) as Record<string, unknown>).flatMap(
    ([id, values]): [string, string[]][] =>
      FACETS.includes(id) && Array.isArray(values) && values.length
        ? [[id, values.filter((one) => typeof one === 'string')]]
        : [],
  )
  return {
    by: textOf(raw.by),
    q: textOf(raw.q) || undefined,
    sort: textOf(raw.sort),
    f: facets.length ? Object.fromEntries(facets) : undefined,
  }
}
