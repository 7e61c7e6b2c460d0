import { expect, test } from 'vitest'
import { saidIn } from './homes'

test('a value is JSON in a text or as it is; what cannot be read says nothing', () => {
  expect(saidIn({ id: 'a', value: '{"on":true}' })).toEqual({ on: true })
  expect(saidIn({ id: 'a', value: { on: true } })).toEqual({ on: true })
  for (const value of ['no JSON', '[1]', '7', undefined, null, [1]])
    expect(saidIn({ id: 'a', value })).toEqual({})
  expect(saidIn(undefined)).toEqual({})
})
