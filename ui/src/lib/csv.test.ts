import { expect, test } from 'vitest'
import { csvOf } from './csv'

test('commas, quotes and lines stay in their cell', () => {
  expect(
    csvOf([
      ['a', 1, undefined],
      ['b, "c"', 'd\ne', ''],
    ]),
  ).toBe('\uFEFFa,1,\r\n"b, ""c""","d\ne",\r\n')
})

test('a title is no formula', () => {
  expect(csvOf([['=HYPERLINK("x")', '+1', '-1', '@a', '3-4']])).toBe(
    `\uFEFF"'=HYPERLINK(""x"")",'+1,'-1,'@a,3-4\r\n`,
  )
})
