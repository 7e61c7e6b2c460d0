import { expect, test } from 'vitest'
import { figures, type Part } from '#/inventory/form/specs'
import { flat, nested } from './nested'

const parts: Part[] = [
  {
    title: '',
    fields: [
      { name: 'title', label: 'Title', kind: 'text' },
      { name: 'cost:listUnitPrice', label: 'Price', kind: 'number' },
      { name: 'day', label: 'Day', kind: 'day' },
      { name: 'physical:materialType', label: 'Type', kind: 'text' },
      {
        name: 'rows',
        label: 'Rows',
        kind: 'rows',
        fields: [{ name: 'value', label: 'Value', kind: 'number' }],
      },
    ],
  },
]
const record = {
  _version: 2,
  title: 'A',
  cost: { currency: 'USD', listUnitPrice: 3 },
  day: '2026-03-01T00:00:00.000+00:00',
}

test('what the form does not know stays, what it emptied goes', () => {
  const values = flat(record, parts)
  expect(values).toMatchObject({ _version: 2, 'cost:listUnitPrice': 3, day: '2026-03-01' })
  expect(nested({ ...values, title: undefined, 'cost:listUnitPrice': 4 }, record, parts)).toEqual({
    _version: 2,
    cost: { currency: 'USD', listUnitPrice: 4 },
    day: '2026-03-01T00:00:00.000+00:00',
  })
})

test('figures are numbers, whatever their places and decimal sign; words are faults at their place', () => {
  const fields = parts.flatMap((part) => part.fields)
  const typed = { 'cost:listUnitPrice': '12,50', rows: [{ value: '1.10' }, { value: 'much' }] }
  const { values, faults } = figures(fields, typed, (label) => `${label}?`)
  expect(values).toMatchObject({ 'cost:listUnitPrice': 12.5, rows: [{ value: 1.1 }, {}] })
  expect(faults).toEqual({ 'rows.1.value': 'Value?' })
})
