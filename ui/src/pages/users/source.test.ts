import { expect, test } from 'vitest'
import { cqlOf, sortOf } from './source'

test('each word is looked for by itself, with its wildcards taken literally', () => {
  expect(cqlOf({ q: 'ro*  smith' })).toBe('keywords=="*ro\\**" and keywords=="*smith*"')
})

test('nothing typed is everybody, narrowed by status and groups', () => {
  expect(cqlOf({ status: 'inactive', group: ['a', 'b'] })).toBe(
    'cql.allRecords=1 and active=="false" and patronGroup==("a" or "b")',
  )
})

test('descending goes to each key; an unknown sort is by name', () => {
  expect(sortOf('-name')).toBe(
    'personal.lastName/sort.descending personal.firstName/sort.descending',
  )
  expect(sortOf('x;drop')).toBe('personal.lastName personal.firstName')
})
