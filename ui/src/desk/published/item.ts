// What FOLIO's published routes tell of an item before it is checked in or out.
import { get } from '#/api/client'
import { all, equals } from '#/api/cql'
import type { Account, Item, Loan } from '#/api/types'
import type { ClaimFacts } from '../questions'

/** The item with the barcode; undefined when there is none. */
export async function itemOf(barcode: string): Promise<Item | undefined> {
  const query = { query: equals('barcode', barcode), limit: 2 }
  const { items } = await get<{ items: Item[] }>('/inventory/items', query)
  return items[0]
}

export async function openLoanOf(itemId: string): Promise<Loan | undefined> {
  const query = { query: all(equals('itemId', itemId), equals('status.name', 'Open')), limit: 1 }
  const { loans } = await get<{ loans: Loan[] }>('/circulation/loans', query)
  return loans[0]
}

/** What is still to pay for a loan; 0 where the person may not see accounts. */
export async function owedFor(loanId: string): Promise<number> {
  try {
    const query = {
      query: all(equals('loanId', loanId), equals('status.name', 'Open')),
      limit: 100,
    }
    const { accounts } = await get<{ accounts: Account[] }>('/accounts', query)
    return sum(accounts)
  } catch {
    return 0
  }
}

export const sum = (accounts: readonly Account[]): number =>
  Math.round(accounts.reduce((total, one) => total + (one.remaining || 0), 0) * 100) / 100

export async function claimOf(itemId: string): Promise<ClaimFacts> {
  const loan = await openLoanOf(itemId)
  if (!loan) return {}
  const { firstName, lastName } = loan.borrower ?? {}
  return {
    patron: [firstName, lastName].filter(Boolean).join(' ') || undefined,
    since: loan.claimedReturnedDate,
    owed: await owedFor(loan.id),
  }
}
