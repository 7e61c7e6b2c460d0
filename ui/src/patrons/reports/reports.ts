// The reports of a library: which rows each has, what may be chosen, and what a row says. Loans come by pages; what the
// server reckons comes whole, and is kept a while.
import { queryOptions } from '@tanstack/react-query'
import { get, post } from '#/api/client'
import { queryClient } from '#/api/query'
import type { TextId } from '#/i18n/text'
import type { Values } from '#/settings/paths'
import type { Window } from '#/ui/useWindows'
import { FILE, LOANS, MONEY, type ReportColumn, TRANSIT } from './columns'

export interface Choice {
  from: string
  to: string
  desk?: string
  owner?: string
  /** Names of those who took payments; all of them where none is named. */
  takers?: readonly string[]
  /** Ids of the desks; all of them where none is named. */
  desks?: readonly string[]
}

export type Row = Values & { $key: string }

export interface Sum {
  name: string
  totalAmount: string
  totalCount: string
}

export interface Answer {
  rows: readonly Row[]
  sums: Readonly<Record<string, readonly Sum[]>>
}

export interface Report {
  id: string
  title: TextId
  /** What it needs. */
  permission: string
  /** What has to be chosen. */
  asks: readonly ('days' | 'desk' | 'owner')[]
  /** What may be narrowed. */
  narrows?: 'takers' | 'desks'
  columns: readonly ReportColumn[]
  load: (choice: Choice, offset: number, limit: number, signal: AbortSignal) => Promise<Window<Row>>
  /** The report as one answer, with sums, where the server sends it so. */
  whole?: (choice: Choice) => Promise<Answer>
}

const SHORT_MS = 60_000
const DRAWER = '/feefine-reports/cash-drawer-reconciliation'
const TRANSACTIONS = '/feefine-reports/financial-transactions-detail'

export const TAKERS_PERMISSION = 'feesfines.feefine-reports.cash-drawer-reconciliation-source.post'

/** Who has ever taken a payment at a desk, by name. */
export const takersQuery = (desk: string | undefined) =>
  queryOptions({
    queryKey: ['payment-takers', desk],
    queryFn: async () =>
      (await post<{ sources: string[] }>(`${DRAWER}/sources`, { createdAt: desk })).sources,
    staleTime: SHORT_MS,
  })

const loans = (query: () => string): Report['load'] => {
  return async (_, offset, limit, signal) => {
    const answer = await get<{ loans: Values[]; totalRecords: number }>(
      '/circulation/loans',
      { query: `${query()} sortby dueDate id`, offset, limit },
      signal,
    )
    const rows = answer.loans.map((loan) => ({ ...loan, $key: String(loan.id) }))
    return { rows, total: answer.totalRecords }
  }
}

type Fetch = (choice: Choice) => Promise<Answer>

/** Windows of an answer that came whole. */
function wholly(id: string, fetched: Fetch): Pick<Report, 'load' | 'whole'> {
  const whole: Fetch = (choice) =>
    queryClient.fetchQuery({
      queryKey: ['report', id, choice],
      queryFn: () => fetched(choice),
      staleTime: SHORT_MS,
      gcTime: SHORT_MS,
    })
  return {
    whole,
    load: async (choice, offset, limit) => {
      const { rows } = await whole(choice)
      return { rows: rows.slice(offset, offset + limit), total: rows.length }
    },
  }
}

const keyed = (rows: readonly Values[]): Row[] =>
  rows.map((row, at) => ({ ...row, $key: String(at) }))

interface Reckoned {
  reportData: Values[]
  reportStats?: Record<string, Sum[]>
}

const reckoned = (id: string, path: string, body: (choice: Choice) => Values) =>
  wholly(id, async (choice) => {
    const { from: startDate, to: endDate } = choice
    const answer = await post<Reckoned>(path, { startDate, endDate, ...body(choice) })
    return { rows: keyed(answer.reportData), sums: answer.reportStats ?? {} }
  })

const loansPermission = 'circulation.loans.collection.get'

export const REPORTS: readonly Report[] = [
  {
    id: 'overdue',
    title: 'report.overdue',
    permission: loansPermission,
    asks: [],
    columns: LOANS,
    load: loans(() => `status.name=="Open" and dueDate<"${new Date().toISOString()}"`),
  },
  {
    id: 'claimed',
    title: 'report.claimed',
    permission: loansPermission,
    asks: [],
    columns: LOANS,
    load: loans(() => 'status.name=="Open" and itemStatus=="Claimed returned"'),
  },
  {
    id: 'transit',
    title: 'report.transit',
    permission: 'circulation.inventory.items-in-transit-report.get',
    asks: [],
    columns: TRANSIT,
    ...wholly('transit', async () => {
      const { items } = await get<{ items: Values[] }>('/inventory-reports/items-in-transit')
      return { rows: keyed(items), sums: {} }
    }),
  },
  {
    id: 'drawer',
    title: 'report.drawer',
    permission: 'feesfines.feefine-reports.cash-drawer-reconciliation.post',
    asks: ['days', 'desk'],
    narrows: 'takers',
    columns: MONEY.drawer,
    ...reckoned('drawer', DRAWER, ({ desk, takers = [] }) => ({
      createdAt: desk,
      sources: takers,
    })),
  },
  {
    id: 'transactions',
    title: 'report.transactions',
    permission: 'feefine-reports.financial-transactions-detail.post',
    asks: ['days', 'owner'],
    narrows: 'desks',
    columns: [...MONEY.transactions, ...FILE],
    ...reckoned('transactions', TRANSACTIONS, ({ owner, desks = [] }) => ({
      feeFineOwner: owner,
      createdAt: desks,
    })),
  },
  {
    id: 'refunds',
    title: 'report.refunds',
    permission: 'feefine-reports.refund.post',
    asks: ['days'],
    columns: MONEY.refunds,
    ...reckoned('refunds', '/feefine-reports/refund', () => ({})),
  },
]

export const reportOf = (id: string | undefined): Report =>
  REPORTS.find((one) => one.id === id) ?? (REPORTS[0] as Report)

/** Whether everything is chosen that the report asks for. */
export const isReady = ({ asks }: Report, { desk, owner, from, to }: Choice) =>
  (!asks.includes('desk') || Boolean(desk)) &&
  (!asks.includes('owner') || Boolean(owner)) &&
  (!asks.includes('days') || from <= to)
