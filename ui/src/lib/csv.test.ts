import { expect, test } from 'vitest'
import { csvOf, rowsOfCsv } from './csv'

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

test('what was written is read again, with the separators of other spreadsheets, too', () => {
  const rows = [
    ['b, "c"', '-1', '', 'd\ne'],
    ['=x', '2', "'t is", ''],
  ]
  expect(rowsOfCsv(csvOf(rows))).toEqual(rows)
  expect(rowsOfCsv('Fund;Change\r\n"a;b";1,5\r\n\r\n')).toEqual([
    ['Fund', 'Change'],
    ['a;b', '1,5'],
  ])
  expect(rowsOfCsv('a\tb\n1\t')).toEqual([
    ['a', 'b'],
    ['1', ''],
  ])
  expect(rowsOfCsv('')).toEqual([])
})
