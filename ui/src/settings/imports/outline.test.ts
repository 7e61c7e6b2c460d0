import { expect, test } from 'vitest'
import { outlineOf } from './outline'

const field = (type: 'mapping' | 'marcChanges' | 'overrides' | 'text') =>
  ({ name: 'x', label: 'set.name', type }) as const

test('rules are lines, rows have numbers, what does nothing is left out', () => {
  const rule = (path: string, value = '') => ({ name: 'x', path, value })
  const fields = [rule('item.notes[].note', '945$a'), rule('item.notes[].staffOnly')]
  expect(
    outlineOf(field('mapping'), [
      rule('item.barcode', '945$b'),
      rule('item.volume'),
      {
        ...rule('item.notes[]'),
        repeatableFieldAction: 'EXCHANGE_EXISTING',
        subfields: [{ order: 0, path: 'item.notes[]', fields }],
      },
    ]),
  ).toBe('item.barcode: 945$b\nitem.notes[]: EXCHANGE_EXISTING\n1. note: 945$a')
})

test('changes and protections are lines, other values are not', () => {
  const marcField = { field: '500', indicator1: '', indicator2: '1' }
  expect(
    outlineOf(field('marcChanges'), [
      {
        action: 'MOVE',
        field: {
          field: '590',
          indicator1: '*',
          subfields: [{ subfield: 'a', data: { marcField } }],
        },
      },
      {
        action: 'EDIT',
        field: {
          field: '003',
          subfields: [
            { subfield: '*', subaction: 'REPLACE', data: { find: 'a', replaceWith: 'b' } },
          ],
        },
      },
    ]),
  ).toBe('MOVE 590 *_ $a → 500 _1\nEDIT 003 $* REPLACE “a” → “b”')
  expect(outlineOf(field('overrides'), [{ id: '1', field: '590', subfield: 'a' }])).toBe('590 $a')
  expect(outlineOf(field('text'), 'x')).toBeUndefined()
})
