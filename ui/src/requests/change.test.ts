import { expect, test } from 'vitest'
import { changeable, changed } from './change'
import type { Request } from './types'

const request = {
  id: 'r',
  requesterId: 'u',
  instanceId: 'i',
  requestType: 'Hold',
  requestDate: '2026-01-01T00:00:00Z',
  status: 'Open - Not yet filled',
  fulfillmentPreference: 'Hold Shelf',
  pickupServicePointId: 'desk',
  pickupServicePoint: { name: 'Desk' },
  requestExpirationDate: '2026-02-01T23:59:59Z',
  patronComments: 'Soon',
} as Request

test('a delivery has no pickup, and the other way round', () => {
  const delivered = changed(request, { ...changeable(request), pickup: undefined, address: 'home' })
  expect(delivered).toMatchObject({
    fulfillmentPreference: 'Delivery',
    deliveryAddressTypeId: 'home',
    patronComments: 'Soon',
  })
  expect(delivered).not.toHaveProperty('pickupServicePointId')
  expect(delivered).not.toHaveProperty('pickupServicePoint')
  const back = changed(delivered, { pickup: 'other' })
  expect(back).toMatchObject({ fulfillmentPreference: 'Hold Shelf', pickupServicePointId: 'other' })
  expect(back).not.toHaveProperty('deliveryAddressTypeId')
})

test('a date that is taken away goes', () => {
  expect(changed(request, { pickup: 'desk' })).not.toHaveProperty('requestExpirationDate')
})
