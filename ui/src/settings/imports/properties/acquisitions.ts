// Orders with one line each, from MARC records; invoices with their lines, from EDIFACT messages.
import {
  FORMAT,
  INVENTORY,
  METHOD,
  ORDER_TYPE,
  PRORATE,
  REFERENCE,
  RELATION,
} from '#/acquisitions/words'
import type { TextId } from '#/i18n/text'
import { ADDRESSES, METHODS } from '../../orders/sources'
import { choice, flag, list, type Property, ref, refs, rows, text, texts, vendor } from './kinds'

const UNITS = list('/acquisitions-units/units', 'acquisitionsUnits')
const FUNDS = list('/finance/funds', 'funds')
const CLASSES = list('/finance/expense-classes', 'expenseClasses')
const GROUPS = list('/batch-groups', 'batchGroups')
const LOCATIONS = list('/locations', 'locations')
const MATERIALS = list('/material-types', 'mtypes')

const references = (name: string): Property =>
  rows(name, 'ord.references', [
    text('refNumber', 'ord.reference', { needed: true }),
    {
      name: 'refNumberType',
      label: 'ord.referenceType',
      kind: 'choice',
      needed: true,
      choices: REFERENCE.map((value) => ({ value, text: `ord.ref.${value}` as TextId })),
    },
  ])
const FUND_FIELDS = [
  ref('fundId', 'acq.fund', FUNDS, { needed: true }),
  ref('expenseClassId', 'acq.expenseClass', CLASSES),
  text('value', 'acq.share', { needed: true, usual: '"100"' }),
  choice('distributionType', 'acq.shareKind', ['percentage', 'amount'], {
    needed: true,
    usual: '"percentage"',
  }),
]

export const ORDER: readonly Property[] = [
  vendor('po.vendor', 'acq.vendor', { needed: true }),
  choice('po.orderType', 'acq.orderType', ORDER_TYPE, { needed: true, usual: '"One-Time"' }),
  choice('po.workflowStatus', 'acq.status', ['Pending', 'Open'], {
    needed: true,
    usual: '"Pending"',
  }),
  flag('po.approved', 'acq.approved'),
  flag('po.reEncumber', 'acq.reEncumber'),
  text('po.overridePoLinesLimit', 'ord.linesLimit'),
  ref('po.billTo', 'ord.billTo', ADDRESSES),
  ref('po.shipTo', 'ord.shipTo', ADDRESSES),
  refs('po.acqUnitIds[]', 'ord.units', UNITS),
  texts('po.notes[]', 'acq.notes'),
  text('poLine.titleOrPackage', 'acq.title', { needed: true, usual: '245$a' }),
  text('poLine.publisher', 'acq.publisher', { usual: '264$b; else 260$b' }),
  text('poLine.publicationDate', 'acq.published', { usual: '264$c; else 260$c' }),
  text('poLine.edition', 'acq.edition', { usual: '250$a' }),
  rows('poLine.contributors[]', 'ord.contributors', [
    text('contributor', 'ord.contributor', { needed: true }),
    ref(
      'contributorNameTypeId',
      'ord.nameType',
      list('/contributor-name-types', 'contributorNameTypes'),
      { needed: true },
    ),
  ]),
  rows('poLine.details.productIds[]', 'ord.productIds', [
    text('productId', 'ord.productId', { needed: true }),
    ref('productIdType', 'ord.productIdType', list('/identifier-types', 'identifierTypes'), {
      needed: true,
    }),
    text('qualifier', 'ord.qualifier'),
  ]),
  choice('poLine.orderFormat', 'acq.format', FORMAT, {
    needed: true,
    usual: '"Physical Resource"',
  }),
  ref('poLine.acquisitionMethod', 'acq.method', METHODS, { needed: true }),
  flag('poLine.checkinItems', 'acq.independentLong'),
  flag('poLine.rush', 'acq.rush'),
  flag('poLine.collection', 'ord.collection'),
  flag('poLine.automaticExport', 'ord.automaticExport'),
  flag('poLine.claimingActive', 'ord.claimingActive'),
  text('poLine.claimingInterval', 'ord.claimingInterval'),
  text('poLine.requester', 'acq.requester'),
  text('poLine.selector', 'ord.selector'),
  text('poLine.donor', 'ord.donor'),
  text('poLine.poLineDescription', 'acq.note'),
  text('poLine.renewalNote', 'ord.renewalNote'),
  text('poLine.details.receivingNote', 'acq.receivingNote'),
  text('poLine.details.subscriptionFrom', 'ord.subscriptionFrom'),
  text('poLine.details.subscriptionTo', 'ord.subscriptionTo'),
  text('poLine.vendorDetail.vendorAccount', 'acq.vendorAccount'),
  text('poLine.vendorDetail.instructions', 'acq.instructions'),
  references('poLine.vendorDetail.referenceNumbers[]'),
  text('poLine.cost.listUnitPrice', 'acq.unitPrice'),
  text('poLine.cost.quantityPhysical', 'acq.physicalCopies'),
  text('poLine.cost.listUnitPriceElectronic', 'acq.unitPriceElectronic'),
  text('poLine.cost.quantityElectronic', 'acq.electronicCopies'),
  text('poLine.cost.currency', 'acq.currency', { needed: true, usual: '"USD"' }),
  text('poLine.cost.exchangeRate', 'acq.exchangeRate'),
  text('poLine.cost.additionalCost', 'acq.additionalCost'),
  text('poLine.cost.discount', 'acq.discount'),
  choice('poLine.cost.discountType', 'map.discountKind', ['percentage', 'amount']),
  rows('poLine.fundDistribution[]', 'acq.funds', FUND_FIELDS),
  rows('poLine.locations[]', 'acq.locations', [
    ref('locationId', 'acq.location', LOCATIONS, { needed: true }),
    text('quantityPhysical', 'acq.physicalCopies'),
    text('quantityElectronic', 'acq.electronicCopies'),
  ]),
  choice('poLine.physical.createInventory', 'ord.makesPhysical', INVENTORY),
  ref('poLine.physical.materialType', 'ord.materialPhysical', MATERIALS),
  text('poLine.physical.expectedReceiptDate', 'ord.expectedOn'),
  choice('poLine.eresource.createInventory', 'ord.makesElectronic', INVENTORY),
  ref('poLine.eresource.materialType', 'ord.materialElectronic', MATERIALS),
  vendor('poLine.eresource.accessProvider', 'acq.accessProvider'),
  text('poLine.eresource.activationDue', 'ord.activationOn'),
  flag('poLine.eresource.trial', 'ord.trial'),
  text('poLine.eresource.userLimit', 'ord.userLimit'),
  text('poLine.eresource.resourceUrl', 'ord.resourceUrl'),
]

const KIND_OF_ADJUSTMENT = choice('type', 'acq.shareKind', ['Amount', 'Percentage'], {
  needed: true,
  usual: '"Amount"',
})
const adjustments = (fields: readonly Property[]): Property =>
  rows('adjustments[]', 'acq.adjustments', [
    text('description', 'acq.description', { needed: true }),
    text('value', 'acq.amount', { needed: true }),
    KIND_OF_ADJUSTMENT,
    choice('relationToTotal', 'acq.relation', RELATION, {
      needed: true,
      usual: '"In addition to"',
    }),
    flag('exportToAccounting', 'acq.exportToAccounting'),
    ...fields,
  ])

const PRORATED = choice('prorate', 'acq.prorate', PRORATE, {
  needed: true,
  usual: '"Not prorated"',
})
const FUND_ROWS = rows('fundDistributions[]', 'acq.funds', FUND_FIELDS)

/** The lines of EDIFACT's invoices; the usual places are those that vendors agree about. */
const LINE: readonly Property[] = [
  text('description', 'acq.description', {
    needed: true,
    usual: '{POL_title}; else IMD+L+050+[4-5]',
  }),
  text('poLineId', 'map.orderLine', { usual: 'RFF+LI[2]' }),
  text('quantity', 'acq.copies', { needed: true, usual: 'QTY+47[2]' }),
  text('subTotal', 'acq.subTotal', { needed: true, usual: 'MOA+203[2]' }),
  flag('releaseEncumbrance', 'acq.releaseEncumbrance', { usual: 'ALL_TRUE' }),
  {
    ...FUND_ROWS,
    usual: '{POL_FUND_DISTRIBUTIONS}',
    whole: { value: '{POL_FUND_DISTRIBUTIONS}', text: 'map.asOrdered' },
  } as Property,
  references('referenceNumbers[]'),
  text('accountNumber', 'acq.vendorAccount'),
  text('subscriptionInfo', 'map.subscription'),
  text('subscriptionStart', 'ord.subscriptionFrom'),
  text('subscriptionEnd', 'ord.subscriptionTo'),
  text('comment', 'acq.note'),
  adjustments([PRORATED]),
]

export const INVOICE: readonly Property[] = [
  vendor('vendorId', 'acq.vendor', { needed: true }),
  text('vendorInvoiceNo', 'acq.vendorInvoiceNo', { needed: true, usual: 'BGM+380+[1]' }),
  text('invoiceDate', 'acq.invoiceDate', { needed: true, usual: 'DTM+137[2]' }),
  choice('status', 'acq.status', ['Open', 'Reviewed'], { needed: true, usual: '"Open"' }),
  ref('batchGroupId', 'acq.batchGroup', GROUPS, { needed: true }),
  choice('paymentMethod', 'acq.paymentMethod', METHOD, { needed: true }),
  text('currency', 'acq.currency', { needed: true, usual: 'CUX+2[2]' }),
  text('exchangeRate', 'acq.exchangeRate'),
  text('lockTotal', 'acq.lockTotal', { usual: 'MOA+9[2]' }),
  text('accountingCode', 'acq.accountingCode'),
  flag('exportToAccounting', 'acq.exportToAccounting'),
  flag('chkSubscriptionOverlap', 'map.overlap'),
  text('paymentDue', 'acq.paymentDue'),
  text('paymentTerms', 'map.terms'),
  ref('billTo', 'ord.billTo', ADDRESSES),
  refs('acqUnitIds[]', 'ord.units', UNITS),
  text('note', 'acq.note'),
  adjustments([PRORATED, FUND_ROWS]),
  {
    name: 'invoiceLines[]',
    label: 'acq.invoiceLines',
    kind: 'rows',
    fields: LINE,
    only: true,
    needed: true,
  },
]
