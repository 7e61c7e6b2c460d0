import { expect, test } from 'vitest'
import { cellOf } from './cells'
import { LOANS, MONEY } from './columns'
import { isReady, REPORTS } from './reports'

const loan = {
  id: 'l',
  dueDate: '2026-11-12T23:59:59.000+00:00',
  borrower: { firstName: 'Ada', lastName: 'Lindqvist', barcode: '21' },
  item: { title: 'Emma', barcode: '31', status: { name: 'Checked out' } },
  feesAndFines: { amountRemainingToPay: 0 },
}

test('a row of the file has each column’s value, a day for an instant, nothing for nothing', () => {
  const cells = Object.fromEntries(LOANS.map((column) => [column.title, cellOf(loan, column)]))
  expect(cells).toMatchObject({
    'loans.titleOf': 'Emma',
    'report.patron': 'Lindqvist, Ada',
    'loans.due': '2026-11-12',
    'loans.fees': 0,
    'loans.policy': undefined,
  })
})

test('of several places the first that says something counts', () => {
  const how = MONEY.transactions.find(({ title }) => title === 'report.how')
  if (!how) throw new Error('invariant: transactions say how')
  expect(cellOf({ paymentMethod: '', waiveReason: 'Goodwill' }, how)).toBe('Goodwill')
})

test('a report waits for what it asks for', () => {
  const days = { from: '2026-11-01', to: '2026-11-30' }
  const ready = (id: string, choice: object) => {
    const report = REPORTS.find((one) => one.id === id)
    if (!report) throw new Error(`no report ${id}`)
    return isReady(report, { ...days, ...choice })
  }
  expect(ready('overdue', {})).toBe(true)
  expect(ready('drawer', {})).toBe(false)
  expect(ready('drawer', { desk: 'd' })).toBe(true)
  expect(ready('transactions', { desk: 'd' })).toBe(false)
  expect(ready('refunds', { from: '2026-12-01' })).toBe(false)
})
