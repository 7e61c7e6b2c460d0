// The worksheet: a file that FOLIO's own can be exchanged for, so its heads are FOLIO's in every language.
import type { FinanceRow } from '#/acquisitions/allocations'
import type { Cell } from '#/lib/csv'
import type { Edit } from './entries'

type Name =
  | 'fiscalYear'
  | 'fundName'
  | 'fundCode'
  | 'fundId'
  | 'fundStatus'
  | 'budgetName'
  | 'budgetId'
  | 'budgetStatus'
  | 'budgetInitialAllocation'
  | 'budgetCurrentAllocation'
  | 'budgetAllowableExpenditure'
  | 'budgetAllowableEncumbrance'
  | 'budgetAllocationChange'
  | 'transactionTag'
  | 'transactionDescription'

const HEADS: readonly (readonly [Name, string])[] = [
  ['fiscalYear', 'Fiscal year'],
  ['fundName', 'Fund name'],
  ['fundCode', 'Fund code'],
  ['fundId', 'Fund UUID'],
  ['fundStatus', 'Fund status'],
  ['budgetName', 'Budget name'],
  ['budgetId', 'Budget UUID'],
  ['budgetStatus', 'Budget status'],
  ['budgetInitialAllocation', 'Budget initial allocation'],
  ['budgetCurrentAllocation', 'Budget current allocation'],
  ['budgetAllowableExpenditure', 'Budget allowable expenditure'],
  ['budgetAllowableEncumbrance', 'Budget allowable encumbrance'],
  ['budgetAllocationChange', 'Allocation adjustment'],
  ['transactionTag', 'Transaction tag'],
  ['transactionDescription', 'Transaction description'],
]
const NEEDED: readonly Name[] = ['fiscalYear', 'fundId']
const TAGS = ';'

export function sheetOf(rows: readonly FinanceRow[]): Cell[][] {
  const cell = (row: FinanceRow, name: Name): Cell => {
    if (name === 'fiscalYear') return row.fiscalYearCode
    if (name === 'transactionTag') return row.transactionTag?.tagList?.join(TAGS)
    if (name === 'budgetAllocationChange') return row.budgetAllocationChange ?? 0
    return row[name]
  }
  const heads = HEADS.map(([, head]) => head)
  return [heads, ...rows.map((row) => HEADS.map(([name]) => cell(row, name)))]
}

export interface SheetRow {
  fundId: string
  name: string
  edit: Partial<Edit>
}

export type Sheet =
  | { rows: readonly SheetRow[] }
  | { fault: 'empty' | 'twice' }
  | { fault: 'heads'; heads: string }
  | { fault: 'year'; year: string }

/** What a file says; it has to be of the year that was chosen. */
export function readSheet(cells: readonly (readonly string[])[], yearCode: string): Sheet {
  const [heads, ...lines] = cells
  if (!heads || !lines.length) return { fault: 'empty' }
  const place = (name: Name) => {
    const head = HEADS.find(([one]) => one === name)?.[1].toLowerCase()
    return heads.findIndex((one) => one.trim().toLowerCase() === head)
  }
  const lacking = NEEDED.filter((name) => place(name) < 0)
  if (lacking.length) {
    const names = HEADS.filter(([name]) => lacking.includes(name)).map(([, head]) => head)
    return { fault: 'heads', heads: names.join(', ') }
  }
  const of = (line: readonly string[], name: Name) => line[place(name)]?.trim()
  const other = lines.map((line) => of(line, 'fiscalYear')).find((year) => year !== yearCode)
  if (other !== undefined) return { fault: 'year', year: other }
  const rows = lines.map((line): SheetRow => {
    const said: [keyof Edit, Name][] = [
      ['fundStatus', 'fundStatus'],
      ['budgetStatus', 'budgetStatus'],
      ['change', 'budgetAllocationChange'],
      ['encumbrance', 'budgetAllowableEncumbrance'],
      ['expenditure', 'budgetAllowableExpenditure'],
      ['description', 'transactionDescription'],
      ['tags', 'transactionTag'],
    ]
    // A column that the file has not says nothing; an empty cell does.
    const edit = said.flatMap(([field, name]) => {
      const text = place(name) < 0 ? undefined : (of(line, name) ?? '')
      return text === undefined ? [] : [[field, text] as const]
    })
    const fundId = of(line, 'fundId') ?? ''
    return { fundId, name: of(line, 'fundName') || fundId, edit: Object.fromEntries(edit) }
  })
  if (new Set(rows.map((one) => one.fundId)).size < rows.length) return { fault: 'twice' }
  return { rows }
}
