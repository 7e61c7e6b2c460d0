// A request as `/circulation/requests` answers it.
import type { Request as Base } from '#/api/types'

export type Kind = 'Hold' | 'Page' | 'Recall'
export const KINDS: readonly Kind[] = ['Page', 'Hold', 'Recall']

export interface Request extends Omit<Base, 'requester' | 'item' | 'instance'> {
  requestDate: string
  requestLevel?: 'Item' | 'Title'
  instanceId: string
  holdingsRecordId?: string
  requestExpirationDate?: string
  deliveryAddressTypeId?: string
  proxyUserId?: string
  proxy?: Requester
  pickupServicePoint?: { name: string }
  cancellationReasonId?: string
  cancellationAdditionalInformation?: string
  cancelledDate?: string
  cancelledByUserId?: string
  awaitingPickupRequestClosedDate?: string
  metadata?: { updatedDate?: string }
  requester?: Requester
  item?: {
    barcode?: string
    callNumber?: string
    status?: string
    location?: { name?: string; libraryName?: string }
    enumeration?: string
    copyNumber?: string
  }
  instance?: { title?: string; contributorNames?: { name: string }[] }
}

export interface Requester {
  lastName?: string
  firstName?: string
  barcode?: string
  patronGroup?: { group?: string }
}
