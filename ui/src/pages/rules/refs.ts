// The records that rules name: by letter, with the names under which the editor shows them.
import { queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'

export const LETTERS = ['g', 'm', 't', 'a', 'b', 'c', 's', 'l', 'r', 'n', 'o', 'i'] as const
export type Letter = (typeof LETTERS)[number]
export const POLICIES: readonly Letter[] = ['l', 'r', 'n', 'o', 'i']

interface List {
  path: string
  key: string
  /** The property that is the name. */
  name?: string
}

export const LISTS: Record<Letter, List> = {
  g: { path: '/groups', key: 'usergroups', name: 'group' },
  m: { path: '/material-types', key: 'mtypes' },
  t: { path: '/loan-types', key: 'loantypes' },
  a: { path: '/location-units/institutions', key: 'locinsts' },
  b: { path: '/location-units/campuses', key: 'loccamps' },
  c: { path: '/location-units/libraries', key: 'loclibs' },
  s: { path: '/locations', key: 'locations', name: 'code' },
  l: { path: '/loan-policy-storage/loan-policies', key: 'loanPolicies' },
  r: { path: '/request-policy-storage/request-policies', key: 'requestPolicies' },
  n: { path: '/patron-notice-policy-storage/patron-notice-policies', key: 'patronNoticePolicies' },
  o: { path: '/overdue-fines-policies', key: 'overdueFinePolicies' },
  i: { path: '/lost-item-fees-policies', key: 'lostItemFeePolicies' },
}

export interface Ref {
  id: string
  name: string
  /** One word, unique within its letter. */
  word: string
}

export type Refs = Record<Letter, readonly Ref[]>

const PAGE = 1000

async function all({ path, key, name = 'name' }: List, signal: AbortSignal) {
  const found: { id: string; name: string }[] = []
  for (;;) {
    const query = { query: 'cql.allRecords=1 sortby id', limit: PAGE, offset: found.length }
    const answer = await get<Record<string, Record<string, string>[]>>(path, query, signal)
    const rows = answer[key] ?? []
    found.push(...rows.map((row) => ({ id: row.id ?? '', name: row[name] ?? row.name ?? '' })))
    if (rows.length < PAGE) return found
  }
}

/** What the language of the rules takes for its own, or for the end of a name. */
const NO_NAME = /[\s:,+!()#/"'&]+/g
const OWN = new Set<string>([...LETTERS, 'all', 'priority', 'fallback-policy'])

export function worded(rows: readonly { id: string; name: string }[]): Ref[] {
  const plain = rows.map(({ name }) =>
    name
      .trim()
      .toLowerCase()
      .replace(NO_NAME, '-')
      .replace(/^-+|-+$/g, ''),
  )
  return rows.map((row, at) => {
    const word = plain[at] ?? ''
    const isUnique = plain.filter((one) => one === word).length === 1
    return {
      ...row,
      word: isUnique && word && !OWN.has(word) ? word : `${word}-${row.id.slice(0, 8)}`,
    }
  })
}

export const refsQuery = queryOptions({
  queryKey: ['rule-refs'],
  queryFn: async ({ signal }): Promise<Refs> => {
    const lists = await Promise.all(LETTERS.map((letter) => all(LISTS[letter], signal)))
    return Object.fromEntries(
      LETTERS.map((letter, at) => [letter, worded(lists[at] ?? [])]),
    ) as unknown as Refs
  },
  staleTime: 60_000,
})

export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  queryFn: ({ signal }) =>
    get<{ id: string; rulesAsText: string }>('/circulation/rules', undefined, signal),
  staleTime: 0,
})
