import { expect, test } from 'vitest'
import { isCard } from './card'

const known = { cards: ['21100004417093'], items: ['34100008790664'] }

test('a barcode is a card when it looks like the cards seen here and like no item', () => {
  expect(isCard('21100004417093', known)).toBe(true)
  expect(isCard('21100009994412', known)).toBe(true)
  expect(isCard('34100008812345', known)).toBe(false)
  expect(isCard('99999', known)).toBe(false)
})

test('where cards and items look alike, only a card that was seen is one', () => {
  const alike = { cards: ['100001'], items: ['100777'] }
  expect(isCard('100001', alike)).toBe(true)
  expect(isCard('100002', alike)).toBe(false)
})

test('nothing is a card where none was seen', () => {
  expect(isCard('21100004417093', { cards: [], items: [] })).toBe(false)
})
