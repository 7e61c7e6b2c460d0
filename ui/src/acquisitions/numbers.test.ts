import { expect, test } from 'vitest'
import { numbered } from './numbers'
import type { Order } from './types'

const order = (poNumber?: string, poNumberPrefix?: string, poNumberSuffix?: string) =>
  ({ poNumber, poNumberPrefix, poNumberSuffix }) as Order

test('a number stands between its prefix and suffix, once', () => {
  expect(numbered(order('100', 'A', 'Z'), undefined).poNumber).toBe('A100Z')
  expect(numbered(order('A100Z', 'A', 'Z'), undefined).poNumber).toBe('A100Z')
  expect(numbered(order(undefined, 'A'), undefined).poNumber).toBeUndefined()
})

test('another prefix takes the place of the one before', () => {
  expect(numbered(order('A100', 'B'), order('A100', 'A')).poNumber).toBe('B100')
  expect(numbered(order('A100Z'), order('A100Z', 'A', 'Z')).poNumber).toBe('100')
  expect(numbered(order('A100', 'A'), order('A100', 'A')).poNumber).toBe('A100')
})
