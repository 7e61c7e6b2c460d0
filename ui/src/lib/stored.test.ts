import { beforeEach, expect, test } from 'vitest'
import { isRecord } from './check'
import { stored } from './stored'

interface Shape {
  desks: string[]
}
const check = (value: unknown): value is Shape => isRecord(value) && Array.isArray(value.desks)
const make = () =>
  stored<Shape>({
    name: 'test',
    version: 2,
    fallback: { desks: [] },
    check,
    steps: { 1: (old) => ({ desks: [(old as { desk: string }).desk] }) },
  })

beforeEach(() => localStorage.clear())

test('a value written is read by the next visit', () => {
  make().write({ desks: ['main'] })
  expect(make().read()).toEqual({ desks: ['main'] })
})

test('an older version is lifted', () => {
  localStorage.setItem('octavo.test', JSON.stringify({ version: 1, value: { desk: 'main' } }))
  expect(make().read()).toEqual({ desks: ['main'] })
})

test.each([
  ['not JSON', '{'],
  ['a newer version', JSON.stringify({ version: 3, value: { desks: ['x'] } })],
  ['another shape', JSON.stringify({ version: 2, value: { desks: 'x' } })],
  ['a version without a step', JSON.stringify({ version: 0, value: {} })],
])('%s gives the default', (_, text) => {
  localStorage.setItem('octavo.test', text)
  expect(make().read()).toEqual({ desks: [] })
})

test('the same text gives the same object, so React does not render for ever', () => {
  make().write({ desks: ['main'] })
  const value = make()
  expect(value.read()).toBe(value.read())
})
