import { expect, test } from 'vitest'
import { CATALOGUE } from './catalogue'
import { isSame, isShown, lacking } from './check'
import { CIRCULATION } from './circulation'
import type { Kind } from './kinds'
import { valueAt, withValue } from './paths'

test('inner properties are read and set without changing the record', () => {
  const before = { a: { b: 1, c: 2 } }
  expect(withValue(before, 'a.b', 3)).toEqual({ a: { b: 3, c: 2 } })
  expect(withValue({}, 'x.y.z', true)).toEqual({ x: { y: { z: true } } })
  expect(withValue(before, 'a.b', '')).toEqual({ a: { c: 2 } })
  expect(before).toEqual({ a: { b: 1, c: 2 } })
  expect(valueAt(before, 'a.c')).toBe(2)
  expect(valueAt(before, 'a.c.d')).toBeUndefined()
})

test('only what is shown can be lacking', () => {
  const policy = CIRCULATION.find(({ id }) => id === 'loan-policies') as Kind
  const fixed = { name: 'x', loanable: true, loansPolicy: { profileId: 'Fixed' } }
  expect([...lacking(policy, fixed)]).toEqual([
    'loansPolicy.fixedDueDateScheduleId',
    'loansPolicy.closedLibraryDueDateManagementId',
  ])
  expect([...lacking(policy, { name: 'x', loanable: false })]).toEqual([])
  const period = policy.fields.find(({ name }) => name === 'loansPolicy.period.duration')
  expect(period && isShown(period, fixed)).toBe(false)
})

test('the server’s own notes on a record, and the order of its properties, make no other record', () => {
  expect(isSame({ a: 1, b: { c: 2, d: 3 }, metadata: 1 }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true)
  expect(isSame({ a: 1 }, { a: 2 })).toBe(false)
})

test('each kind has an address of its own and shows its name in its form', () => {
  const kinds = [...CIRCULATION, ...CATALOGUE]
  expect(new Set(kinds.map(({ id }) => id)).size).toBe(kinds.length)
  for (const { name, fields } of kinds) expect(fields.map((field) => field.name)).toContain(name)
})
