// Budgets and funds of a fiscal year, changed together: a row for each fund of a ledger or a group.
import { queryOptions } from '@tanstack/react-query'
import { request } from '#/api/client'
import { all, equals } from '#/api/cql'
import { changed, ofQuery, recordQuery } from './queries'
import type { Stored, Tags } from './types'

const ROWS = '/finance/finance-data'
const LOGS = '/finance/fund-update-logs'

export interface FinanceRow {
  fiscalYearId: string
  fiscalYearCode: string
  fundId: string
  fundCode?: string
  fundName?: string
  fundStatus?: string
  ledgerId?: string
  budgetId?: string
  budgetName?: string
  budgetStatus?: string
  budgetInitialAllocation?: number
  budgetCurrentAllocation?: number
  budgetAllocationChange?: number
  budgetAfterAllocation?: number
  budgetAllowableEncumbrance?: number
  budgetAllowableExpenditure?: number
  transactionDescription?: string
  transactionTag?: Tags
  isFundChanged?: boolean
  isBudgetChanged?: boolean
}

export interface UpdateLog extends Stored {
  jobNumber?: number
  jobName: string
  status?: string
  recordsCount?: number
  ledgerId: string
  jobDetails?: { fyFinanceData?: FinanceRow[] }
}

/** Whose funds are changed. */
export type Whose = 'ledger' | 'group'

/** The funds of a ledger or a group in a year. A fund that is in several groups stands there once. */
export const rowsQuery = (whose: Whose, id: string, year: string) => {
  const query = ofQuery<FinanceRow>(
    ROWS,
    'fyFinanceData',
    `${all(equals('fiscalYearId', year), equals(`${whose}Id`, id))} sortby fundName`,
  )
  return queryOptions({
    ...query,
    select: (rows: readonly FinanceRow[]) => {
      const seen = new Set<string>()
      return rows.filter((one) => !seen.has(one.fundId) && seen.add(one.fundId))
    },
  })
}

async function send(updateType: 'Preview' | 'Commit', rows: readonly FinanceRow[], name?: string) {
  return await request<{ fyFinanceData: FinanceRow[] } | undefined>(ROWS, {
    method: 'PUT',
    body: {
      fyFinanceData: rows,
      updateType,
      totalRecords: rows.length,
      ...(name && { worksheetName: name }),
    },
  })
}

/** What the rows would make; nothing is changed. */
export const preview = async (rows: readonly FinanceRow[]): Promise<readonly FinanceRow[]> =>
  (await send('Preview', rows))?.fyFinanceData ?? []

export async function commit(rows: readonly FinanceRow[], name?: string) {
  await send('Commit', rows, name)
  await changed()
}

export const logQuery = (id: string) => recordQuery<UpdateLog>(LOGS, id)
export const logsQuery = (ledgerId: string) =>
  ofQuery<UpdateLog>(
    LOGS,
    'fundUpdateLogs',
    `${equals('ledgerId', ledgerId)} sortby jobNumber/sort.descending`,
  )
