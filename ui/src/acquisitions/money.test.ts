import { expect, test } from 'vitest'
import { Exact, moneyOf } from './money'

test('ten times ten cents are one', () => {
  let sum = new Exact()
  for (let at = 0; at < 10; at += 1) sum = sum.plus(0.1)
  expect(sum.toNumber()).toBe(1)
  expect(new Exact().plus(0.1).plus(0.2).minus(Exact.of(0.3)).toNumber()).toBe(0)
  expect(new Exact().plus(-1234.05).plus(4.05).toNumber()).toBe(-1230)
})

test('another currency than the own is named by its code, with its own digits', () => {
  const money = moneyOf('en-GB', 'EUR')
  expect(money(5)).toBe('€5.00')
  expect(money(5, 'USD')?.replace(/\s/u, ' ')).toBe('USD 5.00')
  expect(money(5, 'JPY')?.replace(/\s/u, ' ')).toBe('JPY 5')
  expect(money(undefined)).toBeUndefined()
  expect(money(5, 'nonsense')).toBe('5 nonsense')
})
