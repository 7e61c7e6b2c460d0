// What a search of the inventory is, as the address keeps it, and its CQL for mod-search's routes.

export const SEGMENTS = ['instances', 'holdings', 'items'] as const
export type Segment = (typeof SEGMENTS)[number]

/** How a value is compared: words of a text, a whole value, a value that begins so, an exact id. */
type Way = 'words' | 'whole' | 'begins' | 'exact'

interface Option {
  id: string
  index: string
  way: Way
}

const option = (id: string, index: string, way: Way): Option => ({ id, index, way })
const QUERY = option('query', '', 'exact')

/** What can be searched by, in each segment. The ids are in the address and name the texts. */
export const OPTIONS: Record<Segment, readonly Option[]> = {
  instances: [
    option('keyword', 'keyword', 'words'),
    option('title', 'title', 'words'),
    option('contributor', 'contributors.name', 'words'),
    option('subject', 'subjects.value', 'words'),
    option('series', 'series.value', 'words'),
    option('publisher', 'publication.publisher', 'words'),
    option('note', 'notes.note', 'words'),
    option('identifier', 'identifiers.value', 'whole'),
    option('isbn', 'isbn', 'whole'),
    option('issn', 'issn', 'whole'),
    option('oclc', 'oclc', 'whole'),
    option('lccn', 'lccn', 'whole'),
    option('classification', 'normalizedClassificationNumber', 'begins'),
    option('callNumber', 'normalizedCallNumbers', 'begins'),
    option('barcode', 'items.barcode', 'exact'),
    option('hrid', 'hrid', 'exact'),
    option('id', 'id', 'exact'),
    option('authority', 'authorityId', 'exact'),
    QUERY,
  ],
  holdings: [
    option('keyword', 'keyword', 'words'),
    option('isbn', 'isbn', 'whole'),
    option('issn', 'issn', 'whole'),
    option('callNumber', 'holdings.normalizedCallNumbers', 'begins'),
    option('hrid', 'holdings.hrid', 'exact'),
    option('id', 'holdings.id', 'exact'),
    QUERY,
  ],
  items: [
    option('keyword', 'keyword', 'words'),
    option('barcode', 'items.barcode', 'exact'),
    option('callNumber', 'items.normalizedCallNumbers', 'begins'),
    option('isbn', 'isbn', 'whole'),
    option('issn', 'issn', 'whole'),
    option('accession', 'items.accessionNumber', 'exact'),
    option('hrid', 'items.hrid', 'exact'),
    option('id', 'items.id', 'exact'),
    QUERY,
  ],
}

export const MATCHES = ['all', 'any', 'phrase'] as const
export const JOINS = ['and', 'or', 'not'] as const

/** A line of the advanced search. */
export interface Line {
  join: (typeof JOINS)[number]
  by: string
  match: (typeof MATCHES)[number]
  text: string
}

export const SORTS = [
  'title',
  'contributors',
  'normalizedDate1',
  'metadata.updatedDate',
  'relevance',
] as const

export interface InventorySearch {
  in?: 'holdings' | 'items'
  by?: string
  q?: string
  /** A sort key; with "-" from the end. */
  sort?: string
  /** Chosen values of facets. Of ranges: from and to, either may be empty. */
  f?: Record<string, string[]>
  lines?: Line[]
}

/** Searches by ranges, not by values. */
export const RANGES = ['normalizedDate1', 'metadata.createdDate', 'metadata.updatedDate']

const escaped = (text: string) => text.replace(/[\\"^]/g, '\\$&')
const CODE = /^(?=(?:\D*\d){5})[\w.-]+$/

/** The words as typed; "*" stays what it is. The last word is taken as a beginning unless a blank ends it. */
function words(text: string): string {
  const open = /[\p{L}\p{N}]$/u.test(text) && text.trim().length > 1
  return `"${escaped(text.trim())}${open ? '*' : ''}"`
}

function clause({ id, index, way }: Option, text: string, match: Line['match'] = 'all'): string {
  const value = escaped(text.trim())
  if (id === 'query') return `(${text.trim()})`
  if (way === 'exact') return `${index}=="${value.replace(/[*?]/g, '\\$&')}"`
  if (way === 'whole') return `${index}="${value}"`
  if (way === 'begins') return `${index}="${value.replace(/\*+$/, '')}*"`
  if (match === 'phrase') return `${index}=="${value}"`
  const found = `${index} ${match} ${words(text)}`
  // A barcode typed into the first option is meant as one.
  return id === 'keyword' && CODE.test(text.trim())
    ? `(${found} or items.barcode=="${value}")`
    : found
}

function range(index: string, [from = '', to = '']: readonly string[]): string | undefined {
  const parts = [from && `${index}>="${escaped(from)}"`, to && `${index}<="${escaped(to)}"`]
  return parts.filter(Boolean).join(' and ') || undefined
}

export function optionOf(segment: Segment, by: string | undefined): Option {
  const options = OPTIONS[segment]
  return options.find((one) => one.id === by) ?? (options[0] as Option)
}

export const segmentOf = (search: InventorySearch): Segment => search.in ?? 'instances'

/** The condition without order; everything where nothing is asked for. */
export function conditionOf(search: InventorySearch): string {
  const segment = segmentOf(search)
  const parts: string[] = []
  if (search.q?.trim()) parts.push(clause(optionOf(segment, search.by), search.q))
  const lines = (search.lines ?? []).filter((line) => line.text.trim())
  if (lines.length) {
    const joined = lines.reduce((left, line, at) => {
      const own = clause(optionOf(segment, line.by), line.text, line.match)
      return at ? `${left} ${line.join} ${own}` : own
    }, '')
    parts.push(`(${joined})`)
  }
  for (const [index, values] of Object.entries(search.f ?? {})) {
    if (RANGES.includes(index)) {
      const own = range(index, values)
      if (own) parts.push(own)
    } else if (values.length) {
      parts.push(`${index}==(${values.map((one) => `"${escaped(one)}"`).join(' or ')})`)
    }
  }
  return parts.join(' and ') || 'cql.allRecords=1'
}

export interface Order {
  by: (typeof SORTS)[number]
  descending: boolean
}

export function orderOf({ sort = 'title' }: InventorySearch): Order {
  const by = SORTS.find((one) => one === sort.replace(/^-/, '')) ?? 'title'
  return { by, descending: sort.startsWith('-') }
}

export function queryOf(search: InventorySearch): string {
  const { by, descending } = orderOf(search)
  if (by === 'relevance') return conditionOf(search)
  return `${conditionOf(search)} sortby ${by}${descending ? '/sort.descending' : ''}`
}

const isText = (value: unknown): value is string => typeof value === 'string'
const textOf = (value: unknown) =>
  isText(value) || typeof value === 'number' ? String(value) : undefined

/** What an address may say; everything else is left out. */
export function validSearch(raw: Record<string, unknown>): InventorySearch {
  const facets = Object.entries((raw.f ?? {}) as Record<string, unknown>).flatMap(
    ([id, values]): [string, string[]][] =>
      Array.isArray(values) && values.length && /^[\w.]+$/.test(id)
        ? [[id, values.filter(isText)]]
        : [],
  )
  const lines = Array.isArray(raw.lines) ? raw.lines.flatMap(lineOf) : []
  return {
    in: raw.in === 'holdings' || raw.in === 'items' ? raw.in : undefined,
    by: textOf(raw.by),
    q: textOf(raw.q) || undefined,
    sort: textOf(raw.sort),
    f: facets.length ? Object.fromEntries(facets) : undefined,
    lines: lines.length ? lines : undefined,
  }
}

function lineOf(raw: unknown): Line[] {
  const { join, by, match, text } = (raw ?? {}) as Partial<Record<keyof Line, unknown>>
  if (!isText(by)) return []
  return [
    {
      join: JOINS.find((one) => one === join) ?? 'and',
      by,
      match: MATCHES.find((one) => one === match) ?? 'all',
      text: textOf(text) ?? '',
    },
  ]
}
