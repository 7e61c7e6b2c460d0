// A loan as `/circulation/loans` answers it.
import type { Loan } from '#/api/types'

export interface PatronLoan extends Omit<Loan, 'item'> {
  action: string
  actionComment?: string
  returnDate?: string
  systemReturnDate?: string
  dueDateChangedByRecall?: boolean
  declaredLostDate?: string
  loanPolicyId?: string
  overdueFinePolicy?: { name?: string }
  lostItemPolicy?: { name?: string }
  proxyUserId?: string
  checkoutServicePoint?: { name?: string }
  checkinServicePoint?: { name?: string }
  patronGroupAtCheckout?: { name?: string }
  metadata?: { updatedDate?: string }
  item?: Loan['item'] & {
    contributors?: { name: string }[]
    enumeration?: string
    copyNumber?: string
  }
}

export interface History {
  id: string
  operation?: string
  createdDate: string
  loan: {
    action?: string
    actionComment?: string
    dueDate?: string
    itemStatus?: string
    metadata?: { updatedByUserId?: string }
  }
}

/** What became of an act on one loan. */
export interface Result {
  kind: 'ok' | 'refused'
  text: string
  /** The names of the blocks that an override lifts; empty where none does. */
  blocks?: string[]
  missing?: string[]
}
