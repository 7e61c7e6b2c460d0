// What the rows of reports say: the main things in the list, all of them in the file.
import type { TextId } from '#/i18n/text'

export interface ReportColumn {
  /** Where the row has it; of several places the first that says something. */
  path: string | readonly string[]
  title: TextId
  as?: 'main' | 'person' | 'day' | 'dayTime' | 'code' | 'num' | 'soft'
  width?: number
  wide?: true
  /** In the file only. */
  file?: true
}

export const LOANS: readonly ReportColumn[] = [
  { path: 'item.title', title: 'loans.titleOf', as: 'main' },
  { path: 'item.barcode', title: 'loans.barcode', as: 'code', width: 11 },
  { path: 'borrower', title: 'report.patron', as: 'person', width: 13 },
  { path: 'borrower.barcode', title: 'report.card', as: 'code', width: 11, wide: true },
  { path: 'dueDate', title: 'loans.due', as: 'day', width: 9 },
  {
    path: 'feesAndFines.amountRemainingToPay',
    title: 'loans.fees',
    as: 'num',
    width: 7,
  },
  { path: 'item.status.name', title: 'loans.itemStatus', file: true },
  { path: 'patronGroupAtCheckout.name', title: 'report.group', file: true },
  { path: 'loanDate', title: 'loans.lent', as: 'day', file: true },
  { path: 'claimedReturnedDate', title: 'report.claimedOn', as: 'day', file: true },
  { path: 'renewalCount', title: 'loans.renewed', as: 'num', file: true },
  { path: 'loanPolicy.name', title: 'loans.policy', file: true },
  { path: 'item.callNumber', title: 'loans.callNumber', file: true },
  { path: 'item.location.name', title: 'loans.location', file: true },
  { path: 'item.primaryContributor', title: 'loans.contributors', file: true },
  { path: 'item.materialType.name', title: 'report.material', file: true },
  { path: 'id', title: 'report.loanId', file: true },
]

export const TRANSIT: readonly ReportColumn[] = [
  { path: 'title', title: 'loans.titleOf', as: 'main' },
  { path: 'barcode', title: 'loans.barcode', as: 'code', width: 11 },
  { path: 'inTransitDestinationServicePoint.name', title: 'report.goesTo', width: 11 },
  { path: 'lastCheckIn.servicePoint.name', title: 'report.from', width: 11 },
  { path: 'lastCheckIn.dateTime', title: 'report.since', as: 'dayTime', width: 11 },
  { path: 'request.requestType', title: 'report.request', width: 8, wide: true },
  { path: 'request.requestPickupServicePointName', title: 'report.pickup', file: true },
  { path: 'request.requestPatronGroup', title: 'report.group', file: true },
  { path: 'location.name', title: 'loans.location', file: true },
  { path: 'location.libraryName', title: 'report.library', file: true },
  { path: 'callNumber', title: 'loans.callNumber', file: true },
]

const OWNER = { path: 'feeFineOwner', title: 'report.owner' } as const
const TYPE = { path: 'feeFineType', title: 'report.feeType' } as const
const STAFF_INFO = {
  path: ['additionalStaffInfo', 'actionAdditionalStaffInfo', 'staffInfo'],
  title: 'report.staffInfo',
  file: true,
} as const
const PATRON_INFO = {
  path: ['additionalPatronInfo', 'actionAdditionalPatronInfo', 'patronInfo'],
  title: 'report.patronInfo',
  file: true,
} as const
const INFO = {
  path: ['transactionInfo', 'transactionInformation'],
  title: 'report.info',
} as const
const FEE_ID = { path: 'feeFineId', title: 'report.feeId', file: true } as const

export const MONEY = {
  drawer: [
    { path: 'paymentDate', title: 'report.paidOn', as: 'main' },
    { path: 'source', title: 'report.takenBy', width: 13 },
    { ...TYPE, width: 12 },
    { path: 'paymentMethod', title: 'report.method', width: 9 },
    { path: 'paidAmount', title: 'report.amount', as: 'num', width: 7 },
    { ...OWNER, file: true },
    { path: 'paymentStatus', title: 'report.status', file: true },
    { ...INFO, file: true },
    STAFF_INFO,
    PATRON_INFO,
    { path: 'patronId', title: 'report.patronId', file: true },
    FEE_ID,
  ],
  transactions: [
    { path: 'actionDate', title: 'report.when', as: 'main' },
    { path: 'action', title: 'report.act', width: 9 },
    { ...TYPE, width: 12 },
    { path: 'patronName', title: 'report.patron', width: 12 },
    {
      path: ['paymentMethod', 'waiveReason', 'refundReason', 'transferAccount'],
      title: 'report.how',
      width: 10,
      wide: true,
    },
    { path: 'actionCreatedAt', title: 'report.desk', width: 10, wide: true },
    { path: 'actionAmount', title: 'report.amount', as: 'num', width: 7 },
  ],
  refunds: [
    { path: 'patronName', title: 'report.patron', as: 'main' },
    { path: 'patronBarcode', title: 'report.card', as: 'code', width: 11 },
    { ...TYPE, width: 12 },
    { path: 'refundDate', title: 'report.refundedOn', width: 11 },
    { path: 'refundReason', title: 'report.reason', width: 10, wide: true },
    { path: 'refundAction', title: 'report.act', width: 11, wide: true },
    { path: 'refundAmount', title: 'report.amount', as: 'num', width: 7 },
    { path: 'patronGroup', title: 'report.group', file: true },
    { ...OWNER, file: true },
    { path: 'dateBilled', title: 'report.billedOn', file: true },
    { path: 'billedAmount', title: 'report.billed', file: true },
    { path: 'paidAmount', title: 'report.paid', file: true },
    { path: 'paymentMethod', title: 'report.method', file: true },
    { ...INFO, file: true },
    { path: 'transferredAmount', title: 'report.transferred', file: true },
    { path: 'transferAccount', title: 'report.account', file: true },
    STAFF_INFO,
    PATRON_INFO,
    { path: 'itemBarcode', title: 'loans.barcode', file: true },
    { path: 'instance', title: 'loans.titleOf', file: true },
    { path: 'patronId', title: 'report.patronId', file: true },
    FEE_ID,
  ],
} as const satisfies Record<string, readonly ReportColumn[]>

/** What the file of transactions has beside the list. */
export const FILE: readonly ReportColumn[] = [
  { ...OWNER, file: true },
  { path: 'billedAmount', title: 'report.billed', file: true },
  { path: 'dateBilled', title: 'report.billedOn', file: true },
  { path: 'feeFineSource', title: 'report.chargedBy', file: true },
  { path: 'feeFineCreatedAt', title: 'report.chargedAt', file: true },
  { path: 'actionSource', title: 'report.takenBy', file: true },
  { path: 'actionStatus', title: 'report.status', file: true },
  { ...INFO, file: true },
  STAFF_INFO,
  PATRON_INFO,
  { path: 'patronBarcode', title: 'report.card', file: true },
  { path: 'patronGroup', title: 'report.group', file: true },
  { path: 'itemBarcode', title: 'loans.barcode', file: true },
  { path: 'instance', title: 'loans.titleOf', file: true },
  { path: 'contributors', title: 'loans.contributors', file: true },
  { path: 'callNumber', title: 'loans.callNumber', file: true },
  { path: 'effectiveLocation', title: 'loans.location', file: true },
  { path: 'loanDate', title: 'loans.lent', file: true },
  { path: 'dueDate', title: 'loans.due', file: true },
  { path: 'returnDate', title: 'loans.back', file: true },
  { path: 'loanPolicyName', title: 'loans.policy', file: true },
  { path: 'overdueFinePolicyName', title: 'report.overduePolicy', file: true },
  { path: 'lostItemPolicyName', title: 'report.lostPolicy', file: true },
  { path: 'patronId', title: 'report.patronId', file: true },
  FEE_ID,
]
