import { expect, test } from 'vitest'
import { cleaned, missing, type Part } from './specs'

const parts: Part[] = [
  {
    title: 'Titles',
    fields: [
      { name: 'title', label: 'Title', kind: 'text', needed: true },
      {
        name: 'identifiers',
        label: 'Identifiers',
        kind: 'rows',
        fields: [
          { name: 'value', label: 'Value', kind: 'text', needed: true },
          {
            name: 'identifierTypeId',
            label: 'Type',
            kind: 'list',
            list: 'identifierTypes',
            needed: true,
          },
        ],
      },
    ],
  },
]
const say = (label: string) => label

test('what was left empty is not sent, a flag alone is no line', () => {
  expect(
    cleaned({
      title: ' A ',
      copy: '',
      notes: [{ note: ' ', staffOnly: true }],
      on: false,
      tags: ['', 'x'],
    }),
  ).toEqual({ title: 'A', notes: [], on: false, tags: ['x'] })
})

test('a needed field without content is a fault, an untouched line is none', () => {
  expect(missing(parts, { title: ' ', identifiers: [{}] }, say)).toEqual({ title: 'Title' })
})

test('a line that is begun must be whole', () => {
  expect(missing(parts, { title: 'A', identifiers: [{ value: '1' }] }, say)).toEqual({
    'identifiers.0.identifierTypeId': 'Identifiers: Type',
  })
})
