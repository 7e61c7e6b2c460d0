import { expect, test } from 'vitest'
import { cqlOf, type ListKind, sortOf } from './source'

const kind: ListKind = {
  path: '/orders/composite-orders',
  rows: 'purchaseOrders',
  words: ['vendorName'],
  starts: ['code'],
  begins: ['poNumber'],
  whole: ['barcode'],
  sorts: { number: 'poNumber', date: 'metadata.createdDate' },
  sort: '-date',
  facets: { status: 'workflowStatus' },
}

test('words, beginnings and whole values are looked for side by side, facets narrow', () => {
  expect(cqlOf(kind, { q: ' 10"0 ', status: ['Open', 'Pending'], of: ['x'] })).toBe(
    '(vendorName all "10\\"0" or code="10\\"0*" or poNumber=="10\\"0*" or barcode=="10\\"0") and workflowStatus==("Open" or "Pending")',
  )
  expect(cqlOf(kind, {})).toBe('cql.allRecords=1')
})

test('a sort that the list lacks is its own first one', () => {
  expect(sortOf(kind)).toBe('metadata.createdDate/sort.descending')
  expect(sortOf(kind, 'number')).toBe('poNumber')
  expect(sortOf(kind, '-nothing')).toBe('metadata.createdDate/sort.descending')
})
