import { expect, test } from 'vitest'
import { fullName, initials, shelfCode } from './names'

test('the shelf code hides the name', () => {
  expect(shelfCode('Okafor', '2110000444412')).toBe('OKAF 4412')
  expect(shelfCode("O'Brien", '17')).toBe('OBRI 17')
  expect(shelfCode('Čapková', '0001')).toBe('ČAPK 0001')
  expect(shelfCode('李', '')).toBe('李')
})

test('a name without parts', () => {
  expect(fullName({ lastName: 'Lindqvist' })).toBe('Lindqvist')
  expect(fullName({ lastName: 'Lindqvist', firstName: 'Tor', preferredFirstName: 'T.' })).toBe(
    'Lindqvist, T.',
  )
  expect(initials({})).toBe('?')
})
