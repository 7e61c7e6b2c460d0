import { expect, test } from 'vitest'
import type { Property } from './properties/kinds'
import {
  cleaned,
  complete,
  does,
  isForeign,
  lackingRules,
  pathOf,
  propertiesOf,
  type Rule,
  ruleOf,
  startOf,
} from './rules'

const propertyOf = (type: string, name: string) =>
  propertiesOf(type).find((one) => one.name === name) as Property
const notes = () => {
  const property = propertyOf('HOLDINGS', 'notes[]')
  return ruleOf(property, pathOf('HOLDINGS', property))
}
const filled = (rule: Rule, values: Record<string, string>): Rule => ({
  ...rule,
  subfields: rule.subfields?.map((row) => ({
    ...row,
    fields: row.fields.map((one) => ({ ...one, value: values[one.name] ?? one.value })),
  })),
})

test('a new list has a row with a rule for each of its fields, by FOLIO’s paths', () => {
  const rule = notes()
  expect(rule).toMatchObject({ path: 'holdings.notes[]', repeatableFieldAction: 'EXTEND_EXISTING' })
  expect(rule.subfields?.[0]?.fields.map(({ path, required }) => [path, required])).toEqual([
    ['holdings.notes[].holdingsNoteTypeId', true],
    ['holdings.notes[].note', true],
    ['holdings.notes[].staffOnly', undefined],
  ])
  const ids = propertyOf('ITEM', 'statisticalCodeIds[]')
  expect(ruleOf(ids, pathOf('ITEM', ids)).subfields?.[0]).toMatchObject({
    path: 'item.statisticalCodeIds[]',
    fields: [{ path: 'item.statisticalCodeIds[]' }],
  })
})

test('rows that do nothing are not sent, and no action without rows', () => {
  expect(does(notes())).toBe(false)
  const sent = cleaned(notes())
  expect(sent.subfields).toEqual([])
  expect(sent).not.toHaveProperty('repeatableFieldAction')
  const two = filled(notes(), { note: '945$a' })
  const rows = [...(notes().subfields ?? []), ...(two.subfields ?? [])]
  expect(cleaned({ ...two, subfields: rows }).subfields).toMatchObject([
    { order: 0, fields: [{}, { value: '945$a' }, {}] },
  ])
  const deletes = { ...two, repeatableFieldAction: 'DELETE_EXISTING' }
  expect(cleaned(deletes)).toMatchObject({
    repeatableFieldAction: 'DELETE_EXISTING',
    subfields: [],
  })
})

test('a row says what it lacks; a list that shall change something needs a row', () => {
  expect(lackingRules('HOLDINGS', [])).toEqual([])
  expect(lackingRules('HOLDINGS', [notes()])).toEqual(['holdings.notes[]'])
  expect(lackingRules('HOLDINGS', [filled(notes(), { note: '945$a' })])).toEqual([
    'holdings.notes[]/0/holdingsNoteTypeId',
  ])
  const whole = filled(notes(), { note: '945$a', holdingsNoteTypeId: '"Note"' })
  expect(lackingRules('HOLDINGS', [whole])).toEqual([])
})

test('an invoice begins with the usual places, and asks for the rest', () => {
  const rules = startOf('INVOICE')
  const values = Object.fromEntries(rules.map(({ path, value }) => [path, value]))
  expect(values).toMatchObject({ 'invoice.vendorInvoiceNo': 'BGM+380+[1]', 'invoice.vendorId': '' })
  expect(lackingRules('INVOICE', rules)).toEqual([
    'invoice.vendorId',
    'invoice.batchGroupId',
    'invoice.paymentMethod',
  ])
  const lines = rules.find(({ path }) => path === 'invoice.invoiceLines[]')
  const funds = lines?.subfields?.[0]?.fields.find(({ name }) => name === 'fundDistributions')
  expect(funds).toMatchObject({ value: '{POL_FUND_DISTRIBUTIONS}', subfields: [] })
})

test('what is needed is there to be filled in, whatever was stored', () => {
  const stored = [{ name: 'currency', path: 'invoice.currency', value: '"EUR"' }]
  const all = complete('INVOICE', stored)
  expect(all[0]).toEqual(stored[0])
  expect(all.find(({ path }) => path === 'invoice.vendorId')).toMatchObject({ value: '' })
  expect(complete('ITEM', [])).toEqual([])
})

test('rules of another kind of record are told by their paths', () => {
  const rule = { name: 'barcode', path: 'item.barcode' }
  expect([isForeign('ITEM', rule), isForeign('HOLDINGS', rule)]).toEqual([false, true])
  expect(isForeign('ITEM', { name: 'x', path: 'special.x' })).toBe(false)
})
