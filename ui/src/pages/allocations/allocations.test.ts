import { expect, test } from 'vitest'
import type { FinanceRow } from '#/acquisitions/allocations'
import { csvOf, rowsOfCsv } from '#/lib/csv'
import {
  after,
  changesBudget,
  changesFund,
  entryOf,
  figure,
  isChanged,
  rowOf,
  saidOfRows,
  withSheet,
  wrongWith,
} from './entries'
import { readSheet, sheetOf } from './worksheet'

const row: FinanceRow = {
  fiscalYearId: 'y',
  fiscalYearCode: 'FY2026',
  fundId: 'f',
  fundCode: 'HIST',
  fundName: 'History, old',
  fundStatus: 'Active',
  ledgerId: 'l',
  budgetId: 'b',
  budgetName: 'HIST-FY2026',
  budgetStatus: 'Active',
  budgetInitialAllocation: 100,
  budgetCurrentAllocation: 100.1,
  budgetAllowableEncumbrance: 90,
}
const edited = (edit: Partial<ReturnType<typeof entryOf>['edit']>) => {
  const entry = entryOf(row)
  return { ...entry, edit: { ...entry.edit, ...edit } }
}

test('a worksheet that was saved is read again', () => {
  const lines = rowsOfCsv(csvOf(sheetOf([row])))
  expect(lines[0]?.slice(0, 4)).toEqual(['Fiscal year', 'Fund name', 'Fund code', 'Fund UUID'])
  const sheet = readSheet(lines, 'FY2026')
  expect(sheet).toMatchObject({
    rows: [{ fundId: 'f', name: 'History, old', edit: { change: '0', encumbrance: '90' } }],
  })
})

test('a file of another year, without its heads or with a fund twice is refused', () => {
  const lines = rowsOfCsv(csvOf(sheetOf([row])))
  expect(readSheet(lines, 'FY2027')).toEqual({ fault: 'year', year: 'FY2026' })
  expect(readSheet([['Fund name'], ['x']], 'FY2026')).toEqual({
    fault: 'heads',
    heads: 'Fiscal year, Fund UUID',
  })
  expect(readSheet(lines.slice(0, 1), 'FY2026')).toEqual({ fault: 'empty' })
  expect(readSheet([...lines, ...lines.slice(1)], 'FY2026')).toEqual({ fault: 'twice' })
})

test('a file changes the rows that it has; others are counted, unknown ones are named', () => {
  const other = { ...row, fundId: 'g' }
  const said = withSheet([row, other].map(entryOf), [
    { fundId: 'f', name: 'History', edit: { change: '12,5', tags: 'a; b' } },
    { fundId: 'x', name: 'Nobody’s', edit: {} },
  ])
  expect(said.strangers).toEqual(['Nobody’s'])
  expect(said.missing).toBe(1)
  const [first, second] = said.entries
  expect(first && rowOf(first)).toMatchObject({
    budgetAllocationChange: 12.5,
    budgetAllowableEncumbrance: 90,
    transactionTag: { tagList: ['a', 'b'] },
  })
  expect(second && rowOf(second).budgetAllocationChange).toBe(0)
})

test('figures are read as people write them, and sums are exact', () => {
  expect([figure('12,5'), figure('-3.25'), figure('1.234,5'), figure('')]).toEqual([
    12.5,
    -3.25,
    undefined,
    undefined,
  ])
  expect(after(edited({ change: '0.2' }))).toBe(100.3)
})

test('a row is sent when something of it is changed', () => {
  expect([{}, { change: '0' }, { change: ' ' }].map((edit) => isChanged(edited(edit)))).toEqual([
    false,
    false,
    false,
  ])
  const edits = [{ change: '-1' }, { change: 'x' }, { encumbrance: '' }, { tags: 'a' }]
  expect(edits.every((edit) => isChanged(edited(edit)))).toBe(true)
})

test('a preview tells changes of funds from those of budgets', () => {
  const of = (edit: Parameters<typeof edited>[0]) => {
    const entry = edited(edit)
    return [changesFund(entry), changesBudget(entry)]
  }
  expect(of({ fundStatus: 'Frozen' })).toEqual([true, false])
  expect(of({ budgetStatus: 'Frozen' })).toEqual([false, true])
  expect(of({ change: '3', description: 'x' })).toEqual([false, true])
  expect(of({ description: 'x' })).toEqual([false, false])
})

test('what is wrong with a row is said at its field', () => {
  expect(wrongWith(entryOf(row))).toEqual({})
  expect(wrongWith(edited({ change: '-100.1' }))).toEqual({})
  expect(wrongWith(edited({ change: '-100.11' }))).toEqual({ change: 'fin.alloc.negative' })
  expect(wrongWith(edited({ change: 'much' }))).toEqual({ change: 'fin.alloc.noFigure' })
  expect(wrongWith(edited({ expenditure: '-1' }))).toEqual({
    expenditure: 'fin.alloc.negativeShare',
  })
  expect(wrongWith(edited({ budgetStatus: '', fundStatus: 'Red' }))).toEqual({
    budgetStatus: 'fin.alloc.noStatus',
    fundStatus: 'fin.alloc.noStatus',
  })
  const bare = entryOf({ ...row, budgetId: undefined, budgetStatus: undefined })
  expect(wrongWith(bare)).toEqual({})
})

test('what the server says of a row is found by its place', () => {
  const error = (key: string) => ({ message: 'm', parameters: [{ key, value: '' }] })
  const said = saidOfRows({
    kind: 'refused',
    status: 422,
    errors: [
      error('financeData[3].budgetAllocationChange'),
      error('financeData[1].fundCode'),
      error('x'),
    ],
  })
  expect(said).toEqual([
    { at: 3, field: 'change', message: 'm' },
    { at: 1, field: undefined, message: 'm' },
  ])
})
