import { expect, test } from 'vitest'
import { all, anyOf, equals } from './cql'

test('what was scanned cannot widen a query', () => {
  expect(equals('barcode', '12*')).toBe('barcode=="12\\*"')
  expect(equals('barcode', 'a" or x="b')).toBe('barcode=="a\\" or x=\\"b"')
  expect(equals('barcode', 'a\\')).toBe('barcode=="a\\\\"')
  expect(anyOf('id', ['a', 'b'])).toBe('id==("a" or "b")')
  expect(all()).toBe('cql.allRecords=1')
})
