// What a field may be linked to, and which of its subfields then come from the authority.
import { queryOptions } from '@tanstack/react-query'
import { get, request } from '#/api/client'
import { all, anyOf, quoted } from '#/api/cql'
import { splitSubfields } from './model'
import type { MarcField, MarcRecord } from './types'

export interface Rule {
  id: number
  bibField: string
  authorityField: string
  authoritySubfields?: string[]
  subfieldModifications?: { source: string; target: string }[]
}

export interface Authority {
  id: string
  headingRef: string
  headingType: string
  naturalId?: string
  numberOfTitles?: number
}

export const rulesQuery = queryOptions({
  queryKey: ['linking-rules'],
  queryFn: ({ signal }) => get<Rule[]>('/linking-rules/instance-authority', undefined, signal),
  staleTime: 10 * 60_000,
})

/** FOLIO's kinds of headings by the field of the authority. */
const KINDS: Readonly<Record<string, string>> = {
  '100': 'Personal Name',
  '110': 'Corporate Name',
  '111': 'Conference Name',
  '130': 'Uniform Title',
  '147': 'Named Event',
  '148': 'Chronological Term',
  '150': 'Topical',
  '151': 'Geographic Name',
  '155': 'Genre',
  '162': 'Medium of Performance Term',
  '180': 'General Subdivision',
  '181': 'Geographic Subdivision',
  '182': 'Chronological Subdivision',
  '185': 'Form Subdivision',
}

export const kindsOf = (rules: readonly Rule[], tag: string): string[] => {
  const fields = rules.filter(({ bibField }) => bibField === tag).map((one) => one.authorityField)
  const kinds = fields.flatMap((field) => KINDS[field] ?? [])
  // Names also head works: "Woolf, Virginia. Orlando".
  const works = kinds.filter((one) => / Name$/.test(one)).map((one) => `${one} Title`)
  return [...new Set([...kinds, ...works])]
}

const SHOWN = 20

/** Authorities that a field of this tag may follow, by words of their headings. */
export const authoritiesQuery = (rules: readonly Rule[], tag: string, words: string) =>
  queryOptions({
    queryKey: ['authorities', tag, words],
    queryFn: async ({ signal }) => {
      const kinds = kindsOf(rules, tag)
      const cql = all(
        `keyword all ${quoted(words)}`,
        'authRefType==Authorized',
        kinds.length ? anyOf('headingType', kinds) : undefined,
      )
      const query = { query: `${cql} sortby headingRef`, limit: SHOWN }
      return get<{ authorities: Authority[]; totalRecords: number }>(
        '/search/authorities',
        query,
        signal,
      )
    },
    enabled: Boolean(words),
  })

/** The field as it follows this authority; none where no rule allows it. The server knows the rules. */
export async function linked(
  record: MarcRecord,
  leader: string,
  field: MarcField,
  authorityId: string,
): Promise<MarcField | undefined> {
  const text = typeof field.content === 'string' ? field.content : ''
  const { own } = splitSubfields(text, new Set(['0', '9']))
  const { fields } = await request<MarcRecord>('/records-editor/links/suggestion', {
    method: 'POST',
    query: { authoritySearchParameter: 'ID', ignoreAutoLinkingEnabled: true },
    body: {
      ...record,
      leader,
      fields: [{ ...field, content: `${own} $9 ${authorityId}`, linkDetails: undefined }],
      _actionType: 'edit',
    },
  })
  const [answer] = fields
  return answer?.linkDetails?.authorityId === authorityId ? answer : undefined
}

/** The codes that come from the authority. */
export function controlledBy(rule: Rule | undefined): ReadonlySet<string> | undefined {
  if (!rule) return undefined
  const renamed = rule.subfieldModifications ?? []
  const plain = (rule.authoritySubfields ?? []).filter(
    (code) => !renamed.some(({ source }) => source === code),
  )
  return new Set([...plain, ...renamed.map(({ target }) => target), '0', '9'])
}

/** What to look for first: the words of the heading, without codes, numbers of authorities and roles. */
export const headingWords = (text: string): string =>
  splitSubfields(text, new Set(['0', '1', '2', '4', '5', '8', '9', 'e', 'i', 'u']))
    .own.replace(/\$[a-z0-9] /g, ' ')
    .replace(/[.,;:/]+(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
