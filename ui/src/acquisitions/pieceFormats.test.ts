import { expect, test } from 'vitest'
import { formatsOf, formatUnder } from './pieceFormats'

test('a line has pieces of its own kinds, and a piece keeps its own where it can', () => {
  expect(formatsOf({ orderFormat: 'P/E Mix' })).toEqual(['Physical', 'Electronic'])
  expect(formatsOf({ orderFormat: 'Other' })).toEqual(['Other'])
  expect(formatUnder({ orderFormat: 'P/E Mix' }, 'Electronic')).toBe('Electronic')
  expect(formatUnder({ orderFormat: 'Physical Resource' }, 'Electronic')).toBe('Physical')
})
