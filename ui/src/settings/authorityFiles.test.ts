import { expect, test } from 'vitest'
import { changesOf } from './authorityFiles'

test('only what differs is sent: a file in use refuses its letters and its number', () => {
  const stored = { name: 'Local names', $code: 'loc', $start: 1, baseUrl: 'http://a/', _version: 2 }
  expect(changesOf({ ...stored, selectable: true }, stored)).toEqual({ selectable: true })
  expect(changesOf({ ...stored, $start: 100, baseUrl: undefined }, stored)).toEqual({
    baseUrl: '',
    hridManagement: { startNumber: 100 },
  })
})

test('a new file is sent whole', () => {
  const form = { name: 'Local names', $code: 'loc', $start: 7, selectable: true }
  expect(changesOf(form, undefined)).toEqual({
    name: 'Local names',
    code: 'loc',
    selectable: true,
    hridManagement: { startNumber: 7 },
  })
})
