import { expect, test } from 'vitest'
import { LETTERS, type Refs, worded } from './refs'
import { toIds, tokensOf, toNames } from './words'

const id = (figure: string) => `${figure.repeat(8)}-1111-4111-8111-111111111111`
const none = Object.fromEntries(LETTERS.map((letter) => [letter, []])) as unknown as Refs
const refs: Refs = {
  ...none,
  g: worded([{ id: id('a'), name: 'Staff' }]),
  l: worded([
    { id: id('b'), name: 'One week' },
    { id: id('c'), name: 'All' },
  ]),
}

test('names are one word, and no word of the language', () => {
  expect(refs.l.map(({ word }) => word)).toEqual(['one-week', 'all-cccccccc'])
  const twice = worded([
    { id: id('a'), name: 'Short loan' },
    { id: id('b'), name: 'short-loan' },
  ])
  expect(new Set(twice.map(({ word }) => word)).size).toBe(2)
})

test('ids become names and names ids; comments and unknown ids stay', () => {
  const stored = `# staff ${id('f')}\ng ${id('a')}: l ${id('b')} r ${id('f')}`
  const shown = toNames(stored, refs)
  expect(shown).toBe(`# staff ${id('f')}\ng staff: l one-week r ${id('f')}`)
  expect(toIds(shown, refs)).toMatchObject({ text: stored, unknown: [] })
})

test('a name of another kind is unknown where it stands', () => {
  expect(toIds('g staff: l tree-weeks\ng one-week: l all-cccccccc', refs).unknown).toEqual([
    { line: 0, from: 11, to: 21, letter: 'l', text: 'tree-weeks' },
    { line: 1, from: 2, to: 10, letter: 'g', text: 'one-week' },
  ])
})

test('a column of the ids is found among the names', () => {
  const written = toIds('g staff: l one-week x', refs)
  expect(written.columnOf(0, written.text.indexOf(' x') + 1)).toBe('g staff: l one-week '.length)
  expect(written.columnOf(0, 2)).toBe(2)
})

test('the letters of the priority line stand for no records', () => {
  const tokens = tokensOf('priority: t, s, c, b, a, m, g')
  expect(tokens.every(({ letter }) => letter === undefined)).toBe(true)
})
