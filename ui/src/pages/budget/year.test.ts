import { expect, test } from 'vitest'
import type { Transaction } from '#/acquisitions/types'
import { yearOfMoney } from './year'

const year = {
  periodStart: '2026-01-01T00:00:00.000+00:00',
  periodEnd: '2026-12-31T23:59:59.000+00:00',
}
const at = (day: string, transactionType: string, amount: number, more: object = {}) =>
  ({ transactionType, amount, metadata: { createdDate: day }, ...more }) as Transaction

test('each month has what the transactions have come to', () => {
  const found = yearOfMoney(
    [
      at('2025-12-10T00:00:00Z', 'Allocation', 1000.1, { toFundId: 'f' }),
      at('2026-02-01T00:00:00Z', 'Encumbrance', 100.2, { fromFundId: 'f' }),
      at('2026-02-02T00:00:00Z', 'Transfer', 50, { fromFundId: 'f', toFundId: 'g' }),
      at('2026-03-01T00:00:00Z', 'Payment', 40.05, { fromFundId: 'f' }),
      at('2026-03-02T00:00:00Z', 'Credit', 10.05, { toFundId: 'f' }),
      at('2026-03-03T00:00:00Z', 'Pending payment', 5, { fromFundId: 'f' }),
    ],
    'f',
    year,
    'UTC',
    Date.parse('2026-03-15T00:00:00Z'),
  )
  expect(found.months).toHaveLength(12)
  expect(found.known).toBe(3)
  expect(found.encumbered).toEqual([0, 100.2, 100.2])
  expect(found.expended).toEqual([0, 0, 30])
  expect(found.available).toEqual([1000.1, 849.9, 814.9])
})

test('a month is one of the library, not of UTC', () => {
  const found = yearOfMoney(
    [at('2026-01-31T23:30:00Z', 'Payment', 1, { fromFundId: 'f' })],
    'f',
    year,
    'Europe/Berlin',
    Date.parse('2026-02-15T00:00:00Z'),
  )
  expect(found.expended).toEqual([0, 1])
})
