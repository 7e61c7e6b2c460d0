import { expect, test } from 'vitest'
import { lineOf, orderOf, type Template } from './templates'
import type { OrderLine } from './types'

const template: Template = {
  id: 't',
  templateName: 'Monographs',
  vendor: 'v',
  orderType: 'One-Time',
  orderFormat: 'Other',
  rush: false,
  cost: { listUnitPrice: 12 },
  hiddenFields: { rush: true },
}

test('an order and a line take from a template what is theirs, and nothing of the template itself', () => {
  expect(orderOf(template)).toEqual({ vendor: 'v', orderType: 'One-Time', template: 't' })
  const base = { orderFormat: 'Physical Resource', cost: { currency: 'EUR' } } as OrderLine
  expect(lineOf(template, base)).toEqual({
    orderFormat: 'Other',
    rush: false,
    cost: { currency: 'EUR', listUnitPrice: 12 },
  })
})
