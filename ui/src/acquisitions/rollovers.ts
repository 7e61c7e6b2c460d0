// Rollovers of ledgers: what is asked for, how far it is, what came of it.
import { queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'
import { equals, ofQuery, recordQuery } from './queries'
import type { Fund, Stored, Sums } from './types'

export const ROLLOVERS = '/finance/ledger-rollovers'
export const ORDER_TYPES = ['One-time', 'Ongoing', 'Ongoing-Subscription'] as const
export type RolledOrderType = (typeof ORDER_TYPES)[number]

export interface BudgetSetting {
  /** Funds without a type when absent. */
  fundTypeId?: string
  rolloverAllocation?: boolean
  adjustAllocation?: number
  rolloverBudgetValue?: string
  addAvailableTo?: string
  setAllowances?: boolean
  allowableEncumbrance?: number
  allowableExpenditure?: number
}

export interface EncumbranceSetting {
  orderType: RolledOrderType
  basedOn: string
  increaseBy?: number
}

export interface Rollover extends Stored {
  ledgerId: string
  rolloverType: 'Preview' | 'Commit' | 'Rollback'
  fromFiscalYearId: string
  toFiscalYearId: string
  restrictEncumbrance?: boolean
  restrictExpenditures?: boolean
  needCloseBudgets?: boolean
  budgetsRollover: BudgetSetting[]
  encumbrancesRollover: EncumbranceSetting[]
}

export const STAGES = [
  'budgetsClosingRolloverStatus',
  'financialRolloverStatus',
  'ordersRolloverStatus',
  'overallRolloverStatus',
] as const
export type Progress = Stored & Record<(typeof STAGES)[number], string>

export interface RolloverLog {
  ledgerRolloverId: string
  ledgerRolloverType: string
  rolloverStatus: string
  startDate: string
  endDate?: string
}

export interface RolloverBudget extends Stored, Sums {
  name: string
  fundId: string
  budgetStatus: string
  fundDetails?: { name?: string; code?: string; fundTypeName?: string }
  allowableEncumbrance?: number
  allowableExpenditure?: number
}

export interface RolloverError extends Stored {
  errorType: string
  failedAction: string
  errorMessage: string
  details?: { purchaseOrderId?: string; poLineId?: string; amount?: number; fundId?: string }
}

export const rolloverQuery = (id: string) => recordQuery<Rollover>(ROLLOVERS, id)
const of = (id: string) => equals('ledgerRolloverId', id)

/** The orders come last: the whole has ended when its own status says so. */
export const isOver = (progress: Progress | null | undefined) =>
  ['Success', 'Error'].includes(progress?.overallRolloverStatus ?? '')

const POLL_MS = 1000

/** Asked again and again until it is over. */
export const progressQuery = (id: string) =>
  queryOptions({
    queryKey: ['acq', 'rollover-progress', id],
    queryFn: async ({ signal }) => {
      const { ledgerFiscalYearRolloverProgresses: found } = await get<{
        ledgerFiscalYearRolloverProgresses: Progress[]
      }>('/finance/ledger-rollovers-progress', { query: of(id), limit: 1 }, signal)
      return found[0] ?? null
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : POLL_MS),
  })

export const rolloverBudgetsQuery = (id: string) =>
  ofQuery<RolloverBudget>(
    '/finance/ledger-rollovers-budgets',
    'ledgerFiscalYearRolloverBudgets',
    of(id),
  )
export const rolloverErrorsQuery = (id: string) =>
  ofQuery<RolloverError>(
    '/finance/ledger-rollovers-errors',
    'ledgerFiscalYearRolloverErrors',
    of(id),
  )
export const rolloverLogsQuery = (ledgerId: string) =>
  ofQuery<RolloverLog>(
    '/finance/ledger-rollovers-logs',
    'ledgerFiscalYearRolloverLogs',
    equals('ledgerId', ledgerId),
  )

/** The types of the funds that are rolled over; '' for funds without a type. */
export const typesOf = (funds: readonly Fund[]): string[] =>
  [
    ...new Set(
      funds.filter((one) => one.fundStatus !== 'Inactive').map((one) => one.fundTypeId ?? ''),
    ),
  ].sort()
