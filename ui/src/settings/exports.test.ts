import { expect, test } from 'vitest'
import { lacking } from './check'
import { completed, EXPORTS, wholeTarget } from './exports'
import type { Kind } from './kinds'

test('a target has both indicators, whatever was typed', () => {
  expect(wholeTarget('900$a')).toBe('900  $a')
  expect(wholeTarget('900 1$a')).toBe('900 1$a')
  expect(wholeTarget('9001$a')).toBe('9001 $a')
  expect(wholeTarget('001')).toBe('001  ')
})

test('a row gets path and kind of record of its field', () => {
  const field = {
    fieldId: 'items.barcode',
    displayNameKey: 'items.barcode',
    path: '$.holdings[*].items[*].barcode',
    recordType: 'ITEM',
  }
  expect(completed([{ fieldId: 'items.barcode', transformation: '900$b' }], [field])).toEqual([
    {
      fieldId: 'items.barcode',
      path: field.path,
      recordType: 'ITEM',
      enabled: true,
      transformation: '900  $b',
    },
  ])
})

test('what is no target, and no list of fields, is said', () => {
  const mappings = EXPORTS.find(({ id }) => id === 'export-mapping-profiles') as Kind
  const record = (transformation: string, fieldsSuppression: string) => ({
    name: 'x',
    recordTypes: ['ITEM'],
    fieldsSuppression,
    transformations: [{ fieldId: 'f', transformation }],
  })
  expect([...lacking(mappings, record('900$a', '655, 900'))]).toEqual([])
  expect([...lacking(mappings, record('90$a', '655;900'))]).toEqual([
    'transformations/0/transformation',
    'fieldsSuppression',
  ])
})
