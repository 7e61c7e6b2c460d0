import { expect, test } from 'vitest'
import type { Instance } from '../types'
import { wiredTitles } from './related'

test('a title of the catalogue is told by its id, another one by its words', () => {
  const instance = {
    title: 'A',
    precedingTitles: [
      { id: '1', precedingInstanceId: 'p', title: 'old words', hrid: 'in1', identifiers: [] },
      { title: 'Elsewhere' },
    ],
  } as unknown as Instance
  expect(wiredTitles(instance)).toEqual({
    title: 'A',
    precedingTitles: [{ id: '1', precedingInstanceId: 'p' }, { title: 'Elsewhere' }],
  })
  expect(wiredTitles({ title: 'B' } as Instance)).toEqual({ title: 'B' })
})
