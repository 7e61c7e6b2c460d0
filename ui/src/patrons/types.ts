// A user as record and form read it; FOLIO's names.
import type { Id, User } from '#/api/types'

export interface Address {
  id?: string
  addressTypeId: string
  addressLine1?: string
  addressLine2?: string
  city?: string
  region?: string
  postalCode?: string
  countryId?: string
  primaryAddress?: boolean
}

export type CustomValue = string | boolean | string[] | undefined

export interface Patron extends Omit<User, 'personal'> {
  type?: string
  departments?: string[]
  enrollmentDate?: string
  customFields?: Record<string, CustomValue>
  tags?: { tagList?: string[] }
  preferredEmailCommunication?: string[]
  metadata?: { createdDate?: string; updatedDate?: string; updatedByUserId?: string }
  personal: {
    lastName: string
    firstName?: string
    middleName?: string
    preferredFirstName?: string
    pronouns?: string
    email?: string
    phone?: string
    mobilePhone?: string
    dateOfBirth?: string
    preferredContactTypeId?: string
    addresses?: Address[]
    profilePictureLink?: string
  }
}

export interface CustomField extends Id {
  name: string
  refId: string
  type: string
  visible?: boolean
  required?: boolean
  helpText?: string
  order?: number
  selectField?: { multiSelect?: boolean; options?: { values?: { id: string; value: string }[] } }
  textField?: { fieldFormat?: string }
}

export interface ManualBlock extends Id {
  userId: string
  type?: string
  desc?: string
  staffInformation?: string
  patronMessage?: string
  expirationDate?: string
  borrowing?: boolean
  renewals?: boolean
  requests?: boolean
}

export interface AutomatedBlock {
  patronBlockConditionId: string
  message?: string
  blockBorrowing?: boolean
  blockRenewals?: boolean
  blockRequests?: boolean
}

export interface StaffNote extends Id {
  title: string
  content?: string
  domain: string
  typeId: string
  type?: string
  links: { id: string; type: string }[]
  popUpOnCheckOut?: boolean
  popUpOnUser?: boolean
  metadata?: { createdDate?: string; updatedDate?: string; createdByUsername?: string }
}

export interface ProxyFor extends Id {
  userId: string
  proxyUserId: string
  status?: string
  requestForSponsor?: string
  expirationDate?: string
}
