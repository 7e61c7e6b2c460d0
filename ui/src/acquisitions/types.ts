// Records of acquisitions as the pages read them: FOLIO's names. Amounts are the server's figures.
import type { Id } from '#/api/types'
import type { CustomValues } from './customFields'

export type {
  Account,
  Address,
  BankAccount,
  Contact,
  Email,
  Interface,
  Organization,
  Phone,
  Url,
} from './organizationTypes'

export interface Stored extends Id {
  _version?: number
  metadata?: { createdDate?: string; updatedDate?: string }
}

export interface Tags {
  tagList?: string[]
}

export interface Sums {
  initialAllocation?: number
  allocationTo?: number
  allocationFrom?: number
  allocated?: number
  netTransfers?: number
  totalFunding?: number
  encumbered?: number
  awaitingPayment?: number
  expenditures?: number
  credits?: number
  unavailable?: number
  available?: number
  cashBalance?: number
  overEncumbrance?: number
  overExpended?: number
}

export interface FiscalYear extends Stored {
  name: string
  code: string
  series?: string
  currency?: string
  periodStart: string
  periodEnd: string
  description?: string
}

export interface Ledger extends Stored, Sums {
  name: string
  code: string
  ledgerStatus: string
  fiscalYearOneId: string
  currency?: string
  description?: string
  restrictEncumbrance: boolean
  restrictExpenditures: boolean
}

export interface Fund extends Stored {
  name: string
  code: string
  fundStatus: string
  ledgerId: string
  fundTypeId?: string
  externalAccountNo?: string
  description?: string
  /** Orders from it have to name one of its locations. */
  restrictByLocations?: boolean
  locations?: { locationId: string; tenantId?: string }[]
  tags?: Tags
}

export interface Group extends Stored {
  name: string
  code: string
  status: string
  description?: string
}

/** A fund's place in a group in one fiscal year. */
export interface GroupPlace extends Stored {
  groupId: string
  fundId: string
  fiscalYearId: string
  budgetId?: string
}

export interface Budget extends Stored, Sums {
  name: string
  budgetStatus: string
  fundId: string
  fiscalYearId: string
  allowableEncumbrance?: number
  allowableExpenditure?: number
}

export interface Transaction extends Stored {
  amount: number
  currency: string
  transactionType: string
  source: string
  fiscalYearId: string
  description?: string
  fromFundId?: string
  toFundId?: string
  expenseClassId?: string
  sourceInvoiceId?: string
  voidedAmount?: number
  encumbrance?: { sourcePurchaseOrderId?: string; sourcePoLineId?: string; status?: string }
}

export interface Distribution {
  fundId?: string
  code?: string
  expenseClassId?: string
  encumbrance?: string
  distributionType?: 'percentage' | 'amount'
  value?: number
}

export interface Cost {
  currency: string
  listUnitPrice?: number
  listUnitPriceElectronic?: number
  quantityPhysical?: number
  quantityElectronic?: number
  discount?: number
  discountType?: string
  additionalCost?: number
  exchangeRate?: number
  poLineEstimatedPrice?: number
}

export interface OrderLocation {
  locationId?: string
  holdingId?: string
  quantity?: number
  quantityPhysical?: number
  quantityElectronic?: number
}

export interface Contributor {
  contributor?: string
  contributorNameTypeId?: string
}
export interface ProductId {
  productId?: string
  productIdType?: string
  qualifier?: string
}

export interface OrderLine extends Stored {
  purchaseOrderId: string
  poLineNumber?: string
  titleOrPackage: string
  isPackage?: boolean
  packagePoLineId?: string
  instanceId?: string
  contributors?: Contributor[]
  claimingActive?: boolean
  claimingInterval?: number
  orderFormat: string
  acquisitionMethod: string
  source: string
  checkinItems?: boolean
  publisher?: string
  publicationDate?: string
  edition?: string
  requester?: string
  poLineDescription?: string
  rush?: boolean
  paymentStatus?: string
  receiptStatus?: string
  cost: Cost
  fundDistribution?: Distribution[]
  locations?: OrderLocation[]
  physical?: {
    createInventory?: string
    materialType?: string
    volumes?: string[]
    expectedReceiptDate?: string
  }
  eresource?: { createInventory?: string; materialType?: string; accessProvider?: string }
  details?: {
    receivingNote?: string
    isBinderyActive?: boolean
    productIds?: ProductId[]
    subscriptionFrom?: string
    subscriptionTo?: string
  }
  renewalNote?: string
  selector?: string
  donor?: string
  tags?: Tags
  customFields?: CustomValues
  vendorDetail?: {
    vendorAccount?: string
    instructions?: string
    referenceNumbers?: { refNumber?: string; refNumberType?: string }[]
  }
}

export interface Order extends Stored {
  poNumber?: string
  poNumberPrefix?: string
  poNumberSuffix?: string
  template?: string
  assignedTo?: string
  billTo?: string
  shipTo?: string
  acqUnitIds?: string[]
  tags?: Tags
  customFields?: CustomValues
  orderType: string
  workflowStatus?: string
  vendor: string
  approved?: boolean
  dateOrdered?: string
  manualPo?: boolean
  reEncumber?: boolean
  notes?: string[]
  closeReason?: { reason?: string; note?: string }
  ongoing?: Record<string, unknown>
  compositePoLines?: OrderLine[]
  totalEstimatedPrice?: number
  totalItems?: number
  totalEncumbered?: number
  totalExpended?: number
  totalCredited?: number
  needReEncumber?: boolean
}

export interface Title extends Stored {
  title: string
  poLineId: string
  poLineNumber?: string
  packageName?: string
  expectedReceiptDate?: string
  instanceId?: string
  publisher?: string
  publishedDate?: string
  edition?: string
  receivingNote?: string
  contributors?: Contributor[]
  productIds?: ProductId[]
  claimingActive?: boolean
  claimingInterval?: number
  isAcknowledged?: boolean
  bindItemIds?: string[]
}

export interface RoutingList extends Stored {
  name: string
  notes?: string
  userIds?: string[]
  poLineId: string
}

export interface Piece extends Stored {
  titleId: string
  poLineId: string
  format: string
  receivingStatus: string
  itemId?: string
  locationId?: string
  holdingId?: string
  barcode?: string
  displaySummary?: string
  callNumber?: string
  accessionNumber?: string
  copyNumber?: string
  enumeration?: string
  chronology?: string
  comment?: string
  internalNote?: string
  externalNote?: string
  claimingInterval?: number
  displayOnHolding?: boolean
  displayToPublic?: boolean
  supplement?: boolean
  isBound?: boolean
  bindItemId?: string
  receiptDate?: string
  receivedDate?: string
}

export interface Adjustment {
  id?: string
  description?: string
  type?: string
  value?: number
  prorate?: string
  relationToTotal?: string
  exportToAccounting?: boolean
  fundDistributions?: Distribution[]
  totalAmount?: number
}

export interface Invoice extends Stored {
  vendorId: string
  vendorInvoiceNo: string
  folioInvoiceNo?: string
  invoiceDate: string
  status: string
  currency: string
  exchangeRate?: number
  paymentMethod: string
  batchGroupId: string
  source: string
  subTotal?: number
  adjustmentsTotal?: number
  total?: number
  lockTotal?: number
  note?: string
  cancellationNote?: string
  approvalDate?: string
  paymentDate?: string
  paymentDue?: string
  accountingCode?: string
  exportToAccounting?: boolean
  tags?: Tags
  poNumbers?: string[]
  fiscalYearId?: string
  adjustments?: Adjustment[]
}

export interface InvoiceLine extends Stored {
  invoiceId: string
  invoiceLineNumber?: string
  invoiceLineStatus: string
  description: string
  poLineId?: string
  quantity: number
  subTotal: number
  adjustmentsTotal?: number
  total?: number
  releaseEncumbrance: boolean
  accountNumber?: string
  comment?: string
  tags?: Tags
  adjustments?: Adjustment[]
  fundDistributions?: Distribution[]
}

export interface Voucher extends Stored {
  voucherNumber: string
  status: string
  type: string
  amount: number
  systemCurrency: string
  invoiceCurrency: string
  exchangeRate?: number
  voucherDate?: string
  accountingCode?: string
  exportToAccounting?: boolean
  invoiceId: string
  batchGroupId: string
  vendorId?: string
  accountNo?: string
  disbursementNumber?: string
  disbursementDate?: string
  disbursementAmount?: number
  enclosureNeeded?: boolean
}

export interface VoucherLine extends Stored {
  amount: number
  externalAccountNumber: string
  sourceIds: string[]
  fundDistributions?: Distribution[]
}
