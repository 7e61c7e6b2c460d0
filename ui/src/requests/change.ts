// What staff may change in a request that is placed: FOLIO refuses all the rest.
import type { Request } from './types'

export interface Changeable {
  pickup?: string
  /** The type of the address; instead of a place of pickup. */
  address?: string
  expires?: string
  shelfUntil?: string
}

export const changeable = (request: Request): Changeable => ({
  ...(request.fulfillmentPreference === 'Delivery'
    ? { address: request.deliveryAddressTypeId }
    : { pickup: request.pickupServicePointId }),
  expires: request.requestExpirationDate,
  shelfUntil: request.holdShelfExpirationDate,
})

/** The record with the changes: a delivery has no place of pickup, and the other way round. */
export function changed(request: Request, values: Changeable): Request {
  const {
    pickupServicePointId: _pickup,
    pickupServicePoint: _point,
    deliveryAddressTypeId: _address,
    requestExpirationDate: _expires,
    holdShelfExpirationDate: _until,
    ...rest
  } = request
  return {
    ...rest,
    ...(values.address
      ? { fulfillmentPreference: 'Delivery', deliveryAddressTypeId: values.address }
      : { fulfillmentPreference: 'Hold Shelf', pickupServicePointId: values.pickup }),
    ...(values.expires ? { requestExpirationDate: values.expires } : {}),
    ...(values.shelfUntil ? { holdShelfExpirationDate: values.shelfUntil } : {}),
  }
}
