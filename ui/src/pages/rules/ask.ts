// Which line of the saved rules decides for a patron and an item, and with which policies.
import { get } from '#/api/client'
import { equals } from '#/api/cql'
import type { Letter, Refs } from './refs'

export interface Case {
  group?: string
  material?: string
  loanType?: string
  location?: string
}

const ROUTES = {
  l: ['loan-policy', 'loanPolicyId'],
  r: ['request-policy', 'requestPolicyId'],
  n: ['notice-policy', 'noticePolicyId'],
  o: ['overdue-fine-policy', 'overdueFinePolicyId'],
  i: ['lost-item-policy', 'lostItemPolicyId'],
} as const
export type PolicyLetter = keyof typeof ROUTES
export const POLICY_LETTERS = Object.keys(ROUTES) as PolicyLetter[]

export interface Verdict {
  /** From 1; 2 is usually the fall-back. */
  line: number | undefined
  policies: Record<PolicyLetter, string>
  others: { line: number; policy: string }[]
}

interface Match {
  circulationRuleLine?: number
  [property: string]: unknown
}

export async function ask(
  { group, material, loanType, location }: Required<Case>,
  refs: Refs,
  signal: AbortSignal,
): Promise<Verdict> {
  const query = {
    patron_type_id: group,
    item_type_id: material,
    loan_type_id: loanType,
    location_id: location,
  }
  const nameOf = (letter: Letter, id: unknown) =>
    refs[letter].find((ref) => ref.id === id)?.name ?? String(id ?? '')
  const found = await Promise.all(
    POLICY_LETTERS.map((letter) =>
      get<Record<string, unknown>>(`/circulation/rules/${ROUTES[letter][0]}`, query, signal),
    ),
  )
  const all = await get<{ circulationRuleMatches: Match[] }>(
    '/circulation/rules/loan-policy-all',
    query,
    signal,
  )
  const [first, ...others] = all.circulationRuleMatches
  return {
    line: first?.circulationRuleLine,
    policies: Object.fromEntries(
      POLICY_LETTERS.map((letter, at) => [letter, nameOf(letter, found[at]?.[ROUTES[letter][1]])]),
    ) as Verdict['policies'],
    others: others.map((one) => ({
      line: one.circulationRuleLine ?? 0,
      policy: nameOf('l', one.loanPolicyId),
    })),
  }
}

/** The group of the patron with this card. */
export async function groupOf(barcode: string): Promise<string | undefined> {
  const query = { query: equals('barcode', barcode), limit: 1 }
  const { users } = await get<{ users: { patronGroup?: string }[] }>('/users', query)
  return users[0]?.patronGroup
}

export async function caseOf(barcode: string): Promise<Case | undefined> {
  const query = { query: equals('barcode', barcode), limit: 1 }
  const { items } = await get<{ items: StoredItem[] }>('/item-storage/items', query)
  const [item] = items
  return (
    item && {
      material: item.materialTypeId,
      loanType: item.temporaryLoanTypeId ?? item.permanentLoanTypeId,
      location: item.effectiveLocationId,
    }
  )
}

interface StoredItem {
  materialTypeId?: string
  permanentLoanTypeId?: string
  temporaryLoanTypeId?: string
  effectiveLocationId?: string
}
