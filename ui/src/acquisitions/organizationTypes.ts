// Organizations, their contacts, interfaces and banks as the pages read them.
import type { Stored, Tags } from './types'

export interface Account {
  name?: string
  accountNo?: string
  accountStatus?: string
  description?: string
  appSystemNo?: string
  paymentMethod?: string
  libraryCode?: string
  notes?: string
}

interface Reached {
  isPrimary?: boolean
  description?: string
}
export type Email = Reached & { value?: string }
export type Phone = Reached & { phoneNumber?: string; type?: string }
export type Url = Reached & { value?: string; notes?: string }
export interface Address extends Reached {
  addressLine1?: string
  addressLine2?: string
  city?: string
  stateRegion?: string
  zipCode?: string
  country?: string
}

export interface Organization extends Stored {
  tags?: Tags
  name: string
  code: string
  status: string
  isVendor?: boolean
  description?: string
  erpCode?: string
  taxId?: string
  language?: string
  paymentMethod?: string
  exportToAccounting?: boolean
  organizationTypes?: string[]
  vendorCurrencies?: string[]
  claimingInterval?: number
  discountPercent?: number
  aliases?: { value?: string; description?: string }[]
  addresses?: Address[]
  emails?: Email[]
  phoneNumbers?: Phone[]
  urls?: Url[]
  contacts?: string[]
  privilegedContacts?: string[]
  interfaces?: string[]
  accounts?: Account[]
  agreements?: { name?: string; discount?: number; referenceUrl?: string; notes?: string }[]
}

export interface Contact extends Stored {
  firstName: string
  lastName: string
  prefix?: string
  notes?: string
  inactive?: boolean
  categories?: string[]
  emails?: Email[]
  phoneNumbers?: Phone[]
  addresses?: Address[]
  urls?: Url[]
}

export interface Interface extends Stored {
  name?: string
  uri?: string
  notes?: string
  available?: boolean
  deliveryMethod?: string
  statisticsFormat?: string
  statisticsNotes?: string
  locallyStored?: string
  onlineLocation?: string
  type?: string[]
}

export interface BankAccount extends Stored {
  organizationId: string
  bankName?: string
  bankAccountNumber?: string
  transitNumber?: string
  accountTypeId?: string
  categoryId?: string
  notes?: string
  isPrimary?: boolean
}
