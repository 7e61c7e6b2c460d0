import { expect, test } from 'vitest'
import { isPayable, proposedLine } from './invoices'
import type { OrderLine } from './types'

const line = {
  id: 'l',
  titleOrPackage: 'A',
  paymentStatus: 'Awaiting Payment',
  cost: { currency: 'USD', poLineEstimatedPrice: 12.5, quantityPhysical: 2 },
  fundDistribution: [{ fundId: 'f', encumbrance: 'e', distributionType: 'percentage', value: 100 }],
} as OrderLine

test('an invoice line takes the price and the funds of the order line, with their encumbrances', () => {
  expect(proposedLine('i', line)).toEqual({
    invoiceId: 'i',
    poLineId: 'l',
    description: 'A',
    invoiceLineStatus: 'Open',
    quantity: 2,
    subTotal: 12.5,
    releaseEncumbrance: true,
    fundDistributions: line.fundDistribution,
  })
  expect(proposedLine('i', { ...line, paymentStatus: 'Ongoing' }).releaseEncumbrance).toBe(false)
})

test('what is paid or cancelled is not proposed', () => {
  expect(isPayable(line)).toBe(true)
  for (const paymentStatus of ['Cancelled', 'Fully Paid', 'Payment Not Required'])
    expect(isPayable({ ...line, paymentStatus })).toBe(false)
})
