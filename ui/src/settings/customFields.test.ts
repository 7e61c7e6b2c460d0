import { expect, test } from 'vitest'
import { movedTo, shaped } from './customFields'

test('each type has its own part only', () => {
  const all = {
    name: 'Way',
    required: true,
    textField: { fieldFormat: 'NUMBER' },
    selectField: { options: { values: [{ value: 'gift' }] } },
    checkboxField: { default: true },
  }
  const { name } = all
  expect(shaped({ ...all, type: 'TEXTBOX_SHORT' })).toEqual({
    name,
    type: 'TEXTBOX_SHORT',
    required: true,
    textField: { fieldFormat: 'NUMBER' },
  })
  expect(shaped({ ...all, type: 'MULTI_SELECT_DROPDOWN' })).toMatchObject({
    selectField: { multiSelect: true, options: { values: [{ value: 'gift' }] } },
  })
  expect(shaped({ ...all, type: 'RADIO_BUTTON' })).toMatchObject({
    selectField: { multiSelect: false },
  })
  // A tick cannot be asked for.
  expect(shaped({ ...all, type: 'SINGLE_CHECKBOX' })).toEqual({
    name,
    type: 'SINGLE_CHECKBOX',
    required: false,
    checkboxField: { default: true },
  })
  expect(shaped({ ...all, type: 'DATE_PICKER' })).toEqual({
    name,
    type: 'DATE_PICKER',
    required: true,
  })
})

test('a field takes a place, and the others make room', () => {
  const ids = (place: number) =>
    movedTo([{ id: 'a' }, { id: 'b' }, { id: 'c' }], 'c', place).map(({ id }) => id)
  expect([ids(1), ids(2), ids(3), ids(9), ids(0)]).toEqual([
    ['c', 'a', 'b'],
    ['a', 'c', 'b'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['c', 'a', 'b'],
  ])
})
