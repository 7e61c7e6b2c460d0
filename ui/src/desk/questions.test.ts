import { expect, test } from 'vitest'
import type { Item } from '#/api/types'
import { questionsOf } from './questions'

const item = (more: Partial<Item>): Item => ({ id: '1', status: { name: 'Available' }, ...more })
const kinds = (more: Partial<Item>, act: 'Check in' | 'Check out' = 'Check in', answers = {}) =>
  questionsOf(item(more), act, answers).map((one) => one.kind)

test.each([
  ['an ordinary book', {}, []],
  ['one piece', { numberOfPieces: '1' }, []],
  ['three pieces', { numberOfPieces: '3' }, ['pieces']],
  ['missing pieces of one', { numberOfPieces: '1', missingPieces: 'map' }, ['pieces']],
  ['missing', { status: { name: 'Missing' } }, ['status']],
  ['claimed returned', { status: { name: 'Claimed returned' } }, ['claimedReturned']],
] as const)('%s', (_, more, expected) => {
  expect(kinds(more)).toEqual(expected)
})

test('notes are asked at their own act only', () => {
  const circulationNotes = [{ noteType: 'Check out' as const, note: 'count the discs' }]
  expect(kinds({ circulationNotes })).toEqual([])
  expect(kinds({ circulationNotes }, 'Check out')).toEqual(['notes'])
})

test('what was answered is not asked again', () => {
  const more = { status: { name: 'Withdrawn' }, numberOfPieces: '2' }
  expect(kinds(more, 'Check in', { confirmed: ['status'] })).toEqual(['pieces'])
})
