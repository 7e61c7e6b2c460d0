// Charges and their actions.
import type { Account as Base } from '#/api/types'

export interface Account extends Base {
  amount: number
  feeFineType?: string
  feeFineOwner?: string
  feeFineId?: string
  ownerId?: string
  title?: string
  barcode?: string
  itemId?: string
  dateCreated?: string
  metadata?: { createdDate?: string }
}

export interface FeeAction {
  id: string
  accountId: string
  dateAction?: string
  typeAction?: string
  amountAction?: number
  balance?: number
  paymentMethod?: string
  transactionInformation?: string
  comments?: string
  source?: string
}

export type FeeAct = 'pay' | 'waive' | 'transfer' | 'refund' | 'cancel'
export type FeeState = 'open' | 'closed' | 'all'
