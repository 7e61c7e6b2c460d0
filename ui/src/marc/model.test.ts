import { expect, test } from 'vitest'
import {
  byLine,
  elementText,
  insertAfter,
  joinSubfields,
  lineOf,
  moved,
  nextSubfield,
  parts,
  splitSubfields,
  subfieldOf,
  toFields,
  withCharacter,
  withElement,
  withSubfield,
} from './model'

const record = () =>
  [
    { tag: '001', content: 'in1', indicators: [], isProtected: true },
    { tag: '245', content: '$a A title / $c B', indicators: ['1', '0'] },
    { tag: '650', content: '$a Rivers', indicators: ['\\', '0'] },
    { tag: '650', content: '$a Maps', indicators: ['\\', '0'] },
    { tag: '999', content: '$i x', indicators: ['f', 'f'], isProtected: true },
  ].map(lineOf)

test('codes of subfields are told from dollars in values', () => {
  expect(parts('$a Costs $5.00 $b x')).toEqual([
    { text: '$a', code: true },
    { text: ' Costs $5.00 ', code: false },
    { text: '$b', code: true },
    { text: ' x', code: false },
  ])
})

test('messages go to the line with the tag and number, others to none', () => {
  const lines = record()
  const found = byLine(lines, [
    { tag: '650[1]', severity: 'warn', message: 'second' },
    { tag: '008', severity: 'error', message: 'missing' },
  ])
  expect(found.get(lines[3]?.key ?? '')?.[0]?.message).toBe('second')
  expect(found.get('')?.[0]?.message).toBe('missing')
})

test('lines move among their like, never across the catalogue’s own', () => {
  const lines = record()
  const tags = (key: string | undefined, step: 1 | -1) =>
    moved(lines, key ?? '', step).map((line) => line.content)
  expect(tags(lines[3]?.key, -1)[2]).toBe('$a Maps')
  expect(moved(lines, lines[3]?.key ?? '', 1)).toEqual(lines)
  expect(moved(lines, lines[1]?.key ?? '', -1)).toEqual(lines)
})

test('a new line stands before the last one of the catalogue, and is not sent while empty', () => {
  const lines = record()
  const after = insertAfter(lines, lines[4]?.key ?? '')
  expect(after.lines.map((line) => line.tag)).toEqual(['001', '245', '650', '650', '', '999'])
  expect(toFields(after.lines)).toHaveLength(5)
  expect(toFields(after.lines)[0]).not.toHaveProperty('key')
})

test('the next subfield after the last is the first', () => {
  const text = '$a A title / $c B'
  expect(nextSubfield(text, 0, 1)).toBe(3)
  expect(nextSubfield(text, 3, 1)).toBe(16)
  expect(nextSubfield(text, 16, 1)).toBe(3)
})

test('fixed places keep their length, blanks are kept as the server writes them', () => {
  expect(withCharacter('00503nam\\a', 5, 'c')).toBe('00503cam\\a')
  expect(withElement({ Ills: ['\\', '\\'], Date1: '1815' }, 'Ills', 'a')).toEqual({
    Ills: ['a', '\\'],
    Date1: '1815',
  })
  expect(withElement({ Date1: '1815' }, 'Date1', '19')).toEqual({ Date1: '19\\\\' })
  expect(elementText(['a', '\\'])).toBe('a ')
})

test('a linked field is what the authority gives, and the rest; both make the field again', () => {
  const codes = new Set(['a', 'd', '0', '9'])
  const text = '$a Woolf, Virginia, $d 1882-1941, $e author. $0 n79041870 $9 x'
  const { controlled, own } = splitSubfields(text, codes)
  expect(controlled).toBe('$a Woolf, Virginia, $d 1882-1941, $0 n79041870 $9 x')
  expect(own).toBe('$e author.')
  expect(joinSubfields(controlled, own, codes)).toBe(text)
  // Nobody types a name of his own into it.
  expect(joinSubfields(controlled, '$e ed. $a Other', codes)).toBe(
    '$a Woolf, Virginia, $d 1882-1941, $e ed. $0 n79041870 $9 x',
  )
  expect(joinSubfields(controlled, '', codes)).toBe(controlled)
})

test('one subfield is read, and put in its place', () => {
  expect(subfieldOf('$b KU/CC $h QA $b other', 'b')).toBe('KU/CC')
  expect(subfieldOf('$h QA', 'b')).toBe('')
  expect(withSubfield('$h QA 76 $i .C5', 'b', 'KU/CC')).toBe('$b KU/CC $h QA 76 $i .C5')
  expect(withSubfield('$b old $h QA $b other', 'b', 'new')).toBe('$b new $h QA $b other')
  expect(withSubfield('$b', 'b', 'new')).toBe('$b new')
})
