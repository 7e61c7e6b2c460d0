import { expect, test } from 'vitest'
import { hiddenFields, hiddenIn, hiddenNames } from './hidden'

test('names of hidden fields and FOLIO’s object of them are each other’s inverse', () => {
  const names = ['poNumberPrefix', 'ongoing.interval', 'ongoing.notes', 'details.receivingNote']
  const stored = hiddenFields(names)
  expect(stored).toEqual({
    poNumberPrefix: true,
    ongoing: { interval: true, notes: true },
    details: { receivingNote: true },
  })
  expect(hiddenNames(stored)).toEqual(names)
})

test('what is stored as false, or not as an object, hides nothing', () => {
  expect(hiddenNames({ a: false, b: { c: false, d: true } })).toEqual(['b.d'])
  expect(hiddenNames(['a'])).toEqual([])
  expect([...hiddenIn({ hiddenFields: { ongoing: { interval: true } } })]).toEqual([
    'ongoing:interval',
  ])
  expect(hiddenIn(null).size).toBe(0)
})
