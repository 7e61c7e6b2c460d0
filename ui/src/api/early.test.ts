import { expect, test } from 'vitest'
import { forgetEarly, takeEarly } from './early'

const answer = () => Promise.resolve(new Response('{}'))

test('an early answer is taken once', () => {
  const early = answer()
  window.octavoEarly = { '/locale': early }
  expect(takeEarly('/users')).toBeUndefined()
  expect(takeEarly('/locale')).toBe(early)
  expect(takeEarly('/locale')).toBeUndefined()
})

test('after a change of the person it is nobody’s', () => {
  window.octavoEarly = { '/locale': answer() }
  forgetEarly()
  expect(takeEarly('/locale')).toBeUndefined()
})
