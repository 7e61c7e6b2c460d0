import { expect, test } from 'vitest'
import {
  cleanedChanges,
  lackingChanges,
  type MarcChange,
  newChange,
  withAction,
} from './marcChanges'

const change = (action: MarcChange['action'], subfields: MarcChange['field']['subfields']) => ({
  action,
  field: { field: '590', indicator1: '*', subfields },
})
const sent = (one: MarcChange) => cleanedChanges([one], false)[0]

test('each act keeps what it has a use for, in the order of the list', () => {
  const left = { text: 'x', find: 'y', marcField: { field: '500' } }
  expect(
    cleanedChanges(
      [
        change('DELETE', [{ subfield: 'a', subaction: 'INSERT', data: left }]),
        change('ADD', [
          { subfield: 'a', data: left },
          { subfield: 'b', data: { text: 'z' } },
        ]),
      ],
      false,
    ),
  ).toEqual([
    {
      order: 0,
      action: 'DELETE',
      field: { field: '590', indicator1: '*', indicator2: '', subfields: [{ subfield: 'a' }] },
    },
    {
      order: 1,
      action: 'ADD',
      field: {
        field: '590',
        indicator1: '*',
        indicator2: '',
        subfields: [
          { subfield: 'a', subaction: 'ADD_SUBFIELD', data: { text: 'x' } },
          { subfield: 'b', data: { text: 'z' } },
        ],
      },
    },
  ])
})

test('an edit has a place only where text is inserted', () => {
  const data = { text: 'x', find: 'y', replaceWith: 'z' }
  const subfields = (subaction: string, position?: string) =>
    sent(change('EDIT', [{ subfield: 'a', subaction, position, data }]))?.field.subfields
  expect(subfields('INSERT', 'AFTER_STRING')).toEqual([
    { subfield: 'a', subaction: 'INSERT', position: 'AFTER_STRING', data: { text: 'x' } },
  ])
  expect(subfields('INSERT', 'NEW_SUBFIELD')).toEqual([
    { subfield: 'a', subaction: 'ADD_SUBFIELD', data: { text: 'x' } },
  ])
  expect(subfields('REPLACE')).toEqual([
    { subfield: 'a', subaction: 'REPLACE', data: { find: 'y', replaceWith: 'z' } },
  ])
})

test('all subfields move to the field of the first', () => {
  const to = { field: '500', indicator1: '1', subfields: [{ subfield: 'x' }] }
  const move = change('MOVE', [
    { subfield: 'a', subaction: 'ADD_TO_EXISTING_FIELD', data: { marcField: to } },
    { subfield: 'b', data: { marcField: { subfields: [{ subfield: 'y' }] } } },
  ])
  const target = { field: '500', indicator1: '1', indicator2: '' }
  expect(sent(move)?.field.subfields).toEqual([
    {
      subfield: 'a',
      subaction: 'ADD_TO_EXISTING_FIELD',
      data: { marcField: { ...target, subfields: [{ subfield: 'x' }] } },
    },
    {
      subfield: 'b',
      subaction: 'ADD_TO_EXISTING_FIELD',
      data: { marcField: { ...target, subfields: [{ subfield: 'y' }] } },
    },
  ])
})

test('what is missing is named by its place', () => {
  expect(lackingChanges([], false)).toEqual(['needed'])
  expect(lackingChanges([], true)).toEqual([])
  expect(lackingChanges([newChange('ADD')], false)).toEqual(['0/field', '0/0/subfield', '0/0/text'])
  expect(lackingChanges([change('DELETE', [{ subfield: '*' }])], false)).toEqual([])
  expect(lackingChanges([change('MOVE', [{ subfield: '*' }])], false)).toEqual(['0/0/to'])
  const replace = change('EDIT', [{ subfield: 'a', subaction: 'REPLACE' }])
  expect(lackingChanges([replace], false)).toEqual(['0/0/find'])
  // A control field has one value and no codes.
  const control = { action: 'ADD', field: { field: '003', subfields: [{ data: { text: 'x' } }] } }
  expect(lackingChanges([control as MarcChange], false)).toEqual([])
  expect(sent(control as MarcChange)?.field.subfields).toMatchObject([{ subfield: '*' }])
})

test('an update takes over whole fields only', () => {
  expect(lackingChanges([change('EDIT', [{ subfield: 'a' }])], true)).toEqual(['0/0/subfield'])
  expect(cleanedChanges([change('EDIT', [{ subfield: '*', subaction: 'INSERT' }])], true)).toEqual([
    {
      order: 0,
      action: 'EDIT',
      field: { field: '590', indicator1: '*', indicator2: '', subfields: [{ subfield: '*' }] },
    },
  ])
})

test('another act looks for any indicators, unless some were typed', () => {
  expect(withAction(newChange('ADD'), 'EDIT').field).toMatchObject({
    indicator1: '*',
    indicator2: '*',
  })
  const typed = { ...newChange('ADD'), field: { field: '590', indicator2: '9' } }
  expect(withAction(typed, 'EDIT').field).toEqual({ field: '590', indicator2: '9', subfields: [] })
})
