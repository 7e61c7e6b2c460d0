import { expect, test } from 'vitest'
import { checkFile, checkHeading, effectOf, numbered, numbersOf } from './authority'
import type { MarcField } from './types'

const field = (tag: string, content: string): MarcField => ({ tag, content, indicators: [] })
const record = (heading: string, tag = '100') => [
  field('001', 'n79021164'),
  field('010', '$a n  79021164'),
  field(tag, heading),
  field('400', '$a Other'),
]
const before = record('$a Holm, Ida, $d 1901-1990')
const t = (id: string) => id

test('titles follow a heading, its number; those of another kind are let go', () => {
  expect(effectOf(before, record('$a Holm, Ida Maria, $d 1901-1990'))).toBe('heading')
  expect(effectOf(before, record('$a Holm, Ida, $d 1901-1990 $t Letters'))).toBe('unlinks')
  expect(effectOf(before, record('$a Holm', '110'))).toBe('unlinks')
  expect(effectOf(before, [field('010', '$a n  80000001'), ...before.slice(2)])).toBe('number')
})

test('what no title has changes nothing there', () => {
  expect(effectOf(before, [...before, field('670', '$a Her letters')])).toBeUndefined()
  expect(effectOf(before, record('$a Holm, Ida, $d 1901-1990 $8 1'))).toBeUndefined()
  expect(numbersOf(before)).toEqual(['n79021164', 'n79021164'])
})

test('a new record has a source file, whose numbers begin as its own', () => {
  const file = { id: 'f', name: 'Names', codes: ['n', 'nb'], source: 'folio' }
  expect(checkFile(before, undefined, t)[0]).toMatchObject({ tag: '001' })
  expect(checkFile([field('001', '')], file, t)[0]?.message).toBe('authority.noNumber')
  expect(checkFile(before, file, t)).toEqual([])
  expect(checkFile([field('001', 'sh1')], file, t)[0]).toMatchObject({ tag: '001' })
  expect(checkFile([field('010', '$a sh 1')], file, t)[0]).toMatchObject({ tag: '010' })
  expect(numbered(before, 'a1')[0]?.content).toBe('a1')
})

test('a heading has words, not only codes', () => {
  expect(checkHeading(before, t)).toEqual([])
  expect(checkHeading(record('$a '), t)[0]).toMatchObject({ tag: '100', severity: 'error' })
  expect(checkHeading(record('$a $d '), t)).toHaveLength(1)
  expect(checkHeading([field('400', '$a ')], t)).toEqual([])
})
