import { expect, test } from 'vitest'
import { differences, merged, withValue } from './differences'

const base = { username: 'a', personal: { lastName: 'Roe', email: 'a@x.org' }, tags: ['x'] }

test('absent, empty and null are the same; what the server writes is no difference', () => {
  expect(differences({ a: '' }, { b: null, metadata: { updatedDate: '1' } })).toEqual([])
})

test('a difference names its path', () => {
  const theirs = withValue(base, 'personal.email', 'b@x.org')
  expect(differences(base, theirs)).toEqual([
    { path: 'personal.email', mine: 'a@x.org', theirs: 'b@x.org' },
  ])
})

test('what only one of both changed needs no answer', () => {
  const mine = withValue(base, 'username', 'mine')
  const theirs = withValue(base, 'personal.email', 'theirs@x.org')
  const { record, both } = merged(base, mine, theirs)
  expect(both).toEqual([])
  expect(record).toMatchObject({ username: 'mine', personal: { email: 'theirs@x.org' } })
})

test('what both changed is asked, and stands as mine until then', () => {
  const mine = withValue(base, 'username', 'mine')
  const theirs = withValue(base, 'username', 'theirs')
  const { record, both } = merged(base, mine, theirs)
  expect(both).toEqual([{ path: 'username', mine: 'mine', theirs: 'theirs' }])
  expect(record.username).toBe('mine')
})

test('what I took away stays away', () => {
  const mine = withValue(base, 'personal.email', undefined)
  expect(merged(base, mine, base).record.personal).toEqual({ lastName: 'Roe' })
})
