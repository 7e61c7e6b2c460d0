// The rows as they are typed: texts, what is wrong with them, and what is sent of them.
import type { FinanceRow } from '#/acquisitions/allocations'
import { Exact } from '#/acquisitions/money'
import type { Failure } from '#/api/errors'
import type { TextId } from '#/i18n/text'
import type { SheetRow } from './worksheet'

export interface Edit {
  fundStatus: string
  budgetStatus: string
  change: string
  encumbrance: string
  expenditure: string
  description: string
  tags: string
}
export type Field = keyof Edit

export interface Entry {
  row: FinanceRow
  edit: Edit
}

export const FUND_STATUSES = ['Active', 'Frozen', 'Inactive'] as const
export const BUDGET_STATUSES = ['Active', 'Frozen', 'Inactive', 'Planned', 'Closed'] as const

const text = (figure: number | undefined) => (figure === undefined ? '' : String(figure))

export const entryOf = (row: FinanceRow): Entry => ({
  row,
  edit: {
    fundStatus: row.fundStatus ?? '',
    budgetStatus: row.budgetStatus ?? '',
    change: '',
    encumbrance: text(row.budgetAllowableEncumbrance),
    expenditure: text(row.budgetAllowableExpenditure),
    description: '',
    tags: '',
  },
})

/** Whether anything is changed of it: only such rows are sent. */
export function isChanged({ row, edit }: Entry): boolean {
  const { change, ...rest } = edit
  const before: Edit = entryOf(row).edit
  const others = Object.keys(rest) as (keyof typeof rest)[]
  return (
    Boolean(figure(change) ?? change.trim()) || others.some((name) => rest[name] !== before[name])
  )
}

export const changesFund = ({ row, edit }: Entry) => edit.fundStatus !== (row.fundStatus ?? '')

export const changesBudget = (entry: Entry) => {
  const { fundStatus } = entryOf(entry.row).edit
  return isChanged({ ...entry, edit: { ...entry.edit, fundStatus, description: '', tags: '' } })
}

/** A figure as people and spreadsheets write it: with a comma or a point; nothing where it is none. */
export function figure(typed: string): number | undefined {
  const plain = typed.trim().replace(/^(-?\d+),(\d+)$/, '$1.$2')
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}

/** What the allocation becomes. */
export function after({ row, edit }: Entry): number {
  const now = Exact.of(row.budgetCurrentAllocation ?? 0)
  return now.plus(figure(edit.change) ?? 0).toNumber()
}

export type RowFaults = Partial<Record<Field, TextId>>

/** What is wrong before anything is sent. */
export function wrongWith(entry: Entry): RowFaults {
  const { edit } = entry
  const faults: RowFaults = {}
  for (const field of ['change', 'encumbrance', 'expenditure'] as const) {
    const typed = edit[field].trim()
    const value = figure(typed)
    if (typed && value === undefined) faults[field] = 'fin.alloc.noFigure'
    else if (field !== 'change' && value !== undefined && value < 0)
      faults[field] = 'fin.alloc.negativeShare'
  }
  if (!faults.change && after(entry) < 0) faults.change = 'fin.alloc.negative'
  if (!FUND_STATUSES.some((one) => one === edit.fundStatus))
    faults.fundStatus = 'fin.alloc.noStatus'
  const mayLack = !entry.row.budgetId && !edit.budgetStatus
  if (!mayLack && !BUDGET_STATUSES.some((one) => one === edit.budgetStatus))
    faults.budgetStatus = 'fin.alloc.noStatus'
  return faults
}

export function rowOf({ row, edit }: Entry): FinanceRow {
  const tagList = edit.tags
    .split(';')
    .map((tag) => tag.trim())
    .filter(Boolean)
  return {
    ...row,
    fundStatus: edit.fundStatus,
    budgetStatus: edit.budgetStatus || undefined,
    budgetAllocationChange: figure(edit.change) ?? 0,
    budgetAllowableEncumbrance: figure(edit.encumbrance),
    budgetAllowableExpenditure: figure(edit.expenditure),
    transactionDescription: edit.description.trim() || undefined,
    transactionTag: { tagList },
  }
}

/** The rows with what a file says of them, and the funds of the file that are not among them. */
export function withSheet(entries: readonly Entry[], sheet: readonly SheetRow[]) {
  const said = new Map(sheet.map((one) => [one.fundId, one]))
  const known = new Set(entries.map(({ row }) => row.fundId))
  return {
    entries: entries.map(({ row }) => {
      const fresh = entryOf(row)
      return { row, edit: { ...fresh.edit, ...said.get(row.fundId)?.edit } }
    }),
    strangers: sheet.filter((one) => !known.has(one.fundId)).map(({ name }) => name),
    missing: entries.filter(({ row }) => !said.has(row.fundId)).length,
  }
}

const FIELDS: Record<string, Field> = {
  fundStatus: 'fundStatus',
  budgetStatus: 'budgetStatus',
  budgetAllocationChange: 'change',
  budgetAllowableEncumbrance: 'encumbrance',
  budgetAllowableExpenditure: 'expenditure',
}

/** What the server says about single rows: by the row's place, with the field where it is one of the grid's. */
export function saidOfRows(failure: Failure | undefined) {
  if (failure?.kind !== 'refused') return []
  return failure.errors.flatMap(({ message, parameters }) =>
    parameters.flatMap(({ key }) => {
      const place = /^financeData\[(\d+)\]\.(\w+)$/.exec(key)
      return place ? [{ at: Number(place[1]), field: FIELDS[place[2] ?? ''], message }] : []
    }),
  )
}
