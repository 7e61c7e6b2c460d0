import { expect, test } from 'vitest'
import { amountOf, possible, refundable, sumOf } from './acts'
import type { Account } from './types'

const account = (amount: number, remaining: number, status = 'Open', payment = 'Outstanding') =>
  ({
    id: 'x',
    userId: 'u',
    amount,
    remaining,
    status: { name: status },
    paymentStatus: { name: payment },
  }) as Account

test('sums are exact', () => {
  expect(sumOf([account(0.1, 0.1), account(0.2, 0.2)], 'remaining')).toBe(0.3)
})

test('amounts are typed with point or comma, positive, with two places at most', () => {
  expect(amountOf('12,5')).toBe('12.50')
  expect(amountOf(' 7.20 ')).toBe('7.20')
  for (const wrong of ['', '0', '-1', '1.234', '1e3', 'ten', '1.000,00'])
    expect(amountOf(wrong), wrong).toBeUndefined()
})

test('a closed fee is not paid; one that was paid is refunded', () => {
  expect(possible([account(5, 0, 'Closed', 'Paid fully')], 'pay')).toBe(false)
  expect(possible([account(5, 0, 'Closed', 'Paid fully')], 'refund')).toBe(true)
  expect(possible([account(5, 5)], 'refund')).toBe(false)
  expect(possible([], 'pay')).toBe(false)
})

test('what was waived is not refunded, nor what was refunded before', () => {
  const did = (typeAction: string, amountAction: number) =>
    ({ id: 'x', accountId: 'a', typeAction, amountAction }) as const
  expect(
    refundable([
      did('Copies', 10),
      did('Waived partially', 4),
      did('Paid partially', 3.5),
      did('Transferred fully', 2.5),
      did('Credited partially', 1),
      did('Refunded partially', 1),
    ]),
  ).toBe(5)
  expect(refundable([])).toBe(0)
})
