import { expect, test } from 'vitest'
import { moved } from './move'
import type { Request } from './types'

const queue = (...words: string[]) =>
  words.map((word, at) => {
    const [status, requestType] = word.split(':')
    return {
      id: `${at}`,
      requestType: requestType ?? 'Hold',
      status: status === 'w' ? 'Open - Not yet filled' : 'Open - In transit',
    } as Request
  })
const ids = (requests: readonly Request[]) => requests.map((one) => one.id).join('')

test('one moves up and down', () => {
  expect(ids(moved(queue('w', 'w', 'w'), '2', 0))).toBe('201')
  expect(ids(moved(queue('w', 'w', 'w'), '0', 1))).toBe('102')
})

test('nothing passes what is on its way, or a page', () => {
  expect(ids(moved(queue('t', 'w', 'w'), '2', 0))).toBe('021')
  expect(ids(moved(queue('w:Page', 'w', 'w'), '2', 0))).toBe('021')
  expect(ids(moved(queue('t', 'w'), '0', 1))).toBe('01')
})

test('the end is the end', () => {
  expect(ids(moved(queue('w', 'w'), '0', 9))).toBe('10')
})
