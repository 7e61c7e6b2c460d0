import { expect, test } from 'vitest'
import { entryOf, presetOf } from './presets'

const preset = {
  id: 'p1',
  description: 'Postage',
  type: 'Amount',
  value: 4.5,
  prorate: 'By line',
  relationToTotal: 'In addition to',
  alwaysShow: true,
}

test('a preset is an entry of the settings with its fields as JSON, and comes back', () => {
  const entry = entryOf(preset, undefined)
  expect(entry).toMatchObject({
    id: 'p1',
    module: 'INVOICE',
    configName: 'INVOICE.adjustments',
    code: 'p1',
    enabled: true,
  })
  expect(presetOf(entry)).toMatchObject(preset)
  expect(JSON.parse(String(entry.value))).not.toHaveProperty('id')
})

test('a change keeps the code of the entry and nothing of it goes into the JSON', () => {
  const stored = presetOf({ ...entryOf(preset, undefined), code: 'ABC', _version: 2 })
  const entry = entryOf({ ...stored, value: 5 }, stored)
  expect(entry.code).toBe('ABC')
  expect(JSON.parse(String(entry.value))).toMatchObject({ value: 5, description: 'Postage' })
  expect(JSON.parse(String(entry.value))).not.toHaveProperty('code')
})

test('an entry that is no JSON is shown by what it has', () => {
  expect(presetOf({ id: 'x', value: 'free text' })).toMatchObject({ description: 'free text' })
})
