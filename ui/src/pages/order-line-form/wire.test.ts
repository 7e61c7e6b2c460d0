import { expect, test } from 'vitest'
import type { OrderLine } from '#/acquisitions/types'
import { wired } from './wire'

const line = {
  orderFormat: 'Electronic Resource',
  titleOrPackage: 'A',
  cost: { currency: 'USD', quantityElectronic: 2 },
  physical: { createInventory: 'None' },
  locations: [{ locationId: 'l', quantityElectronic: 2 }, { quantityPhysical: 1 }],
  fundDistribution: [{ distributionType: 'percentage', value: 100 }],
} as unknown as OrderLine

test('a line has the part of its format only, and nothing that names nothing', () => {
  const sent = wired(line)
  expect(sent.physical).toBeUndefined()
  expect(sent.eresource).toEqual({})
  expect(sent.locations).toEqual([{ locationId: 'l', quantityElectronic: 2, quantity: 2 }])
  expect(sent.fundDistribution).toEqual([])
  const both = wired({ ...line, orderFormat: 'P/E Mix' })
  expect(both.physical).toEqual({ volumes: [], createInventory: 'None' })
  expect(both.eresource).toEqual({})
})
