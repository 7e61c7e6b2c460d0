import { expect, test } from 'vitest'
import { conditionOf, queryOf, validSearch } from './search'

test('words are looked for in all forms of a heading, the last one as a beginning', () => {
  expect(conditionOf({ q: 'woolf virg' })).toBe('keyword all "woolf virg*"')
  expect(conditionOf({ q: 'woolf virginia ' })).toBe('keyword all "woolf virginia"')
  expect(conditionOf({ by: 'genre', q: 'novels ' })).toBe(
    '(genreTerm all "novels" or sftGenreTerm all "novels" or saftGenreTerm all "novels")',
  )
  expect(conditionOf({ by: 'childrenSubject', q: 'cats ' })).toMatch(/ and subjectHeadings=="b"$/)
})

test('numbers are compared whole, a query is taken as it is', () => {
  expect(conditionOf({ by: 'identifier', q: ' n79041870 ' })).toBe(
    '(identifiers.value=="n79041870" or naturalId=="n79041870")',
  )
  expect(conditionOf({ by: 'query', q: 'id==x' })).toBe('(id==x)')
})

test('facets narrow; of days the last one counts whole', () => {
  const f = {
    headingType: ['Topical', 'Genre'],
    'metadata.createdDate': ['2026-01-01', '2026-02-01'],
  }
  expect(queryOf({ f, sort: '-headingType' })).toBe(
    'headingType==("Topical" or "Genre") and metadata.createdDate>="2026-01-01" and ' +
      'metadata.createdDate<="2026-02-01T23:59:59.999Z" sortby headingType/sort.descending',
  )
  expect(queryOf({ sort: 'nothing' })).toBe('cql.allRecords=1 sortby headingRef')
})

test('an address says what it may', () => {
  expect(validSearch({ q: 1984, f: { headingType: ['Topical', 1], other: ['x'] }, x: 1 })).toEqual({
    q: '1984',
    f: { headingType: ['Topical'] },
  })
})
