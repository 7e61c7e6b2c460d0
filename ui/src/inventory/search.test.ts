import { expect, test } from 'vitest'
import { conditionOf, queryOf, validSearch } from './search'

test('nothing asked for finds everything, by title', () => {
  expect(queryOf({})).toBe('cql.allRecords=1 sortby title')
})

test('the last word is a beginning until a blank ends it', () => {
  expect(conditionOf({ q: 'rivers harb' })).toBe('keyword all "rivers harb*"')
  expect(conditionOf({ q: 'rivers harbour ' })).toBe('keyword all "rivers harbour"')
  expect(conditionOf({ q: 'river*' })).toBe('keyword all "river*"')
})

test('quotes do not end the query', () => {
  expect(conditionOf({ by: 'title', q: 'a "b" or' })).toBe('title all "a \\"b\\" or*"')
  expect(conditionOf({ by: 'hrid', q: 'in*1' })).toBe('hrid=="in\\*1"')
})

test('a barcode in the first option is found as one', () => {
  expect(conditionOf({ q: '34100008790664' })).toContain('items.barcode=="34100008790664"')
})

test('facets and ranges are added', () => {
  const f = { languages: ['eng', 'ger'], normalizedDate1: ['1990', ''] }
  expect(conditionOf({ q: 'x ', f })).toBe(
    'keyword all "x" and languages==("eng" or "ger") and normalizedDate1>="1990"',
  )
})

test('lines are joined from the first to the last', () => {
  const lines = [
    { join: 'and', by: 'title', match: 'phrase', text: 'war and peace' },
    { join: 'not', by: 'contributor', match: 'any', text: 'tolstoy ' },
  ] as const
  expect(conditionOf({ lines: [...lines] })).toBe(
    '(title=="war and peace" not contributors.name any "tolstoy")',
  )
})

test('an address with nonsense is read without it', () => {
  expect(validSearch({ in: 'x', q: 1984, f: { 'a b': ['1'], languages: [1, 'eng'] } })).toEqual({
    in: undefined,
    by: undefined,
    q: '1984',
    sort: undefined,
    f: { languages: ['eng'] },
    lines: undefined,
  })
})

test('a segment searches by its own indexes', () => {
  expect(conditionOf({ in: 'holdings', by: 'hrid', q: 'ho1' })).toBe('holdings.hrid=="ho1"')
})
