// Records as the client reads them: only the fields it uses. To be replaced by the generated schema.

export interface Id {
  id: string
}
export interface Coded extends Id {
  name: string
  code?: string
}

export interface User extends Id {
  username?: string
  barcode?: string
  externalSystemId?: string
  active?: boolean
  patronGroup?: string
  expirationDate?: string
  personal?: {
    lastName?: string
    firstName?: string
    preferredFirstName?: string
    email?: string
    profilePictureLink?: string
  }
}

export interface ServicePoint extends Coded {
  pickupLocation?: boolean
  discoveryDisplayName?: string
  staffSlips?: { id: string; printByDefault: boolean }[]
}

export interface CirculationNote {
  id?: string
  noteType: 'Check in' | 'Check out'
  note: string
  staffOnly?: boolean
}

/** As `/inventory/items` answers. */
export interface Item extends Id {
  barcode?: string
  title?: string
  callNumber?: string
  effectiveCallNumberComponents?: { callNumber?: string; prefix?: string; suffix?: string }
  contributorNames?: { name: string }[]
  status: { name: string }
  materialType?: { name: string }
  effectiveLocation?: { id: string; name: string }
  permanentLoanType?: { name: string }
  numberOfPieces?: string
  descriptionOfPieces?: string
  numberOfMissingPieces?: string
  missingPieces?: string
  circulationNotes?: CirculationNote[]
  discoverySuppress?: boolean
  holdingsRecordId?: string
}

export interface Loan extends Id {
  userId?: string
  itemId: string
  dueDate: string
  loanDate: string
  action?: string
  renewalCount?: number
  status?: { name: string }
  claimedReturnedDate?: string
  item?: LoanItem
  borrower?: { firstName?: string; lastName?: string; barcode?: string }
  loanPolicy?: { name?: string }
  feesAndFines?: { amountRemainingToPay?: number }
}

/** The item as loans and check-in answer it. */
export interface LoanItem {
  id?: string
  title?: string
  barcode?: string
  callNumber?: string
  callNumberComponents?: { callNumber?: string; prefix?: string; suffix?: string }
  primaryContributor?: string
  status?: { name: string }
  location?: { name?: string }
  materialType?: { name?: string }
  inTransitDestinationServicePointId?: string
  inTransitDestinationServicePoint?: { id?: string; name?: string }
  instanceId?: string
  holdingsRecordId?: string
}

export interface Request extends Id {
  requestType: 'Hold' | 'Page' | 'Recall'
  status: string
  position?: number
  itemId?: string
  requesterId: string
  requester?: { lastName?: string; firstName?: string; barcode?: string }
  item?: { barcode?: string; callNumber?: string }
  instance?: { title?: string }
  fulfillmentPreference?: 'Hold Shelf' | 'Delivery'
  pickupServicePointId?: string
  holdShelfExpirationDate?: string
  patronComments?: string
}

export interface Account extends Id {
  userId: string
  loanId?: string
  remaining: number
  status: { name: string }
  paymentStatus?: { name: string }
}

export interface PatronBlock {
  message?: string
  desc?: string
  blockBorrowing?: boolean
  borrowing?: boolean
  patronMessage?: string
  expirationDate?: string
}

export interface StaffSlip extends Id {
  name: string
  active: boolean
  template: string
}
