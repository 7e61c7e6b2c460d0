// The five lists of finance as FOLIO's routes have them.
import type { ListKind } from '#/acquisitions/list/source'

export const VIEWS = ['budgets', 'funds', 'groups', 'ledgers', 'years'] as const
export type View = (typeof VIEWS)[number]

export const viewOf = (view: string | undefined): View =>
  VIEWS.find((one) => one === view) ?? 'budgets'

const named = { words: ['name'], starts: ['name', 'code'] }

export const KINDS: Record<View, ListKind> = {
  budgets: {
    path: '/finance/budgets',
    rows: 'budgets',
    starts: ['name'],
    sorts: { name: 'name', status: 'budgetStatus' },
    sort: 'name',
    facets: { status: 'budgetStatus', of: 'fiscalYearId' },
  },
  funds: {
    path: '/finance/funds',
    rows: 'funds',
    ...named,
    sorts: { name: 'name', code: 'code', status: 'fundStatus' },
    sort: 'code',
    facets: { status: 'fundStatus', of: 'ledgerId' },
  },
  groups: {
    path: '/finance/groups',
    rows: 'groups',
    starts: ['name', 'code'],
    sorts: { name: 'name', code: 'code', status: 'status' },
    sort: 'name',
    facets: { status: 'status' },
  },
  ledgers: {
    path: '/finance/ledgers',
    rows: 'ledgers',
    ...named,
    sorts: { name: 'name', code: 'code', status: 'ledgerStatus' },
    sort: 'name',
    facets: { status: 'ledgerStatus' },
  },
  years: {
    path: '/finance/fiscal-years',
    rows: 'fiscalYears',
    ...named,
    sorts: { name: 'name', code: 'code', from: 'periodStart' },
    sort: '-from',
    facets: {},
  },
}
