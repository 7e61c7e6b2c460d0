// How the records of finance are read and stored. A fund's route has the fund beside its groups.
import type { FiscalYear, Fund, Tags } from '#/acquisitions/types'
import { post, put } from '#/api/client'

const KINDS = ['budgets', 'funds', 'groups', 'ledgers', 'years'] as const
export type Kind = (typeof KINDS)[number]
export const kindOf = (kind: string | undefined): Kind =>
  KINDS.find((one) => one === kind) ?? 'budgets'

export const PATHS: { [kind in Kind]: string } = {
  budgets: '/finance/budgets',
  funds: '/finance/funds',
  groups: '/finance/groups',
  ledgers: '/finance/ledgers',
  years: '/finance/fiscal-years',
}

export interface FinanceRecord {
  id?: string
  name?: unknown
  groupIds?: unknown
  tags?: Tags
  [property: string]: unknown
}

export function read(kind: Kind, answer: unknown): FinanceRecord {
  if (kind !== 'funds') return answer as FinanceRecord
  const { fund, groupIds } = answer as { fund: FinanceRecord; groupIds?: unknown }
  return { ...fund, groupIds }
}

const OF: { [kind in Kind]: readonly string[] } = {
  budgets: [
    'name',
    'budgetStatus',
    'fundId',
    'fiscalYearId',
    'allocated',
    'allowableEncumbrance',
    'allowableExpenditure',
    'statusExpenseClasses',
  ],
  funds: [
    'name',
    'code',
    'fundStatus',
    'ledgerId',
    'fundTypeId',
    'externalAccountNo',
    'description',
    'groupIds',
    'allocatedFromIds',
    'allocatedToIds',
    'restrictByLocations',
    'locations',
    'tags',
  ],
  groups: ['name', 'code', 'status', 'description'],
  ledgers: [
    'name',
    'code',
    'ledgerStatus',
    'fiscalYearOneId',
    'description',
    'restrictEncumbrance',
    'restrictExpenditures',
  ],
  years: ['name', 'code', 'periodStart', 'periodEnd', 'description'],
}

/** A new record has the properties of its kind only: the form begins with statuses for all five. */
const ownOf = (kind: Kind, record: FinanceRecord): FinanceRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => OF[kind].includes(name)))

interface ClassLink {
  expenseClassId: string
  status?: string
}

interface Known {
  funds: readonly Fund[]
  years: readonly FiscalYear[]
}

export async function save(
  kind: Kind,
  id: string | undefined,
  record: FinanceRecord,
  known: Known,
) {
  const { groupIds, ...rest } = id ? record : ownOf(kind, record)
  const body: FinanceRecord = rest
  if (kind === 'ledgers') {
    body.restrictEncumbrance = Boolean(rest.restrictEncumbrance)
    body.restrictExpenditures = Boolean(rest.restrictExpenditures)
  }
  // A year ends with the last moment of its last day.
  if (kind === 'years')
    body.periodEnd = String(rest.periodEnd).replace('T00:00:00.000', 'T23:59:59.000')
  if (kind === 'budgets' && !body.name) {
    const fund = known.funds.find((one) => one.id === body.fundId)
    const year = known.years.find((one) => one.id === body.fiscalYearId)
    body.name = `${fund?.code}-${year?.code}`
  }
  if (kind === 'budgets' && !id) body.allocated ??= 0
  if (kind === 'budgets')
    body.statusExpenseClasses = ((body.statusExpenseClasses ?? []) as ClassLink[]).map((one) => ({
      ...one,
      status: one.status ?? 'Active',
    }))
  const sent = kind === 'funds' ? { fund: body, groupIds: groupIds ?? [] } : body
  const path = PATHS[kind]
  if (id) await put(`${path}/${id}`, sent)
  const made = id ? undefined : read(kind, await post<unknown>(path, sent)).id
  return { to: kind === 'years' ? '/finance?view=years' : `/finance/${kind}/${id ?? made}` }
}
