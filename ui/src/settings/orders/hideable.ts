// The fields that a template can leave out of the forms of its orders and their lines. What a form needs is not among
// them.
import { hiddenFields, hiddenNames } from '#/acquisitions/hidden'
import type { TextId } from '#/i18n/text'
import type { Field } from '../kinds'
import type { Values } from '../paths'

const OF_ORDER: Readonly<Record<string, TextId>> = {
  poNumberPrefix: 'ord.prefix',
  poNumber: 'acq.poNumberOrMade',
  poNumberSuffix: 'ord.suffix',
  assignedTo: 'ord.assignedTo',
  billTo: 'ord.billTo',
  shipTo: 'ord.shipTo',
  acqUnitIds: 'ord.units',
  approved: 'acq.approved',
  reEncumber: 'acq.reEncumber',
  notes: 'acq.notes',
  'tags.tagList': 'acq.tags',
  'ongoing.isSubscription': 'acq.subscription',
  'ongoing.interval': 'acq.intervalDays',
  'ongoing.renewalDate': 'acq.renewalDate',
  'ongoing.manualRenewal': 'ord.manualRenewal',
  'ongoing.reviewPeriod': 'ord.reviewPeriod',
  'ongoing.reviewDate': 'ord.reviewDate',
}
const OF_LINE: Readonly<Record<string, TextId>> = {
  publisher: 'acq.publisher',
  publicationDate: 'acq.published',
  edition: 'acq.edition',
  isPackage: 'ord.isPackage',
  packagePoLineId: 'ord.partOfPackage',
  instanceId: 'ord.catalogueTitle',
  contributors: 'ord.contributors',
  'details.productIds': 'ord.productIds',
  checkinItems: 'acq.independentLong',
  rush: 'acq.rush',
  collection: 'ord.collection',
  automaticExport: 'ord.automaticExport',
  'details.isBinderyActive': 'ord.bindery',
  claimingActive: 'ord.claimingActive',
  claimingInterval: 'ord.claimingInterval',
  requester: 'acq.requester',
  selector: 'ord.selector',
  donor: 'ord.donor',
  'details.subscriptionFrom': 'ord.subscriptionFrom',
  'details.subscriptionTo': 'ord.subscriptionTo',
  renewalNote: 'ord.renewalNote',
  'vendorDetail.vendorAccount': 'acq.vendorAccount',
  'vendorDetail.instructions': 'acq.instructions',
  'vendorDetail.referenceNumbers': 'ord.references',
  'details.receivingNote': 'acq.receivingNote',
  poLineDescription: 'acq.note',
  'cost.exchangeRate': 'acq.exchangeRate',
  'cost.discount': 'acq.discount',
  'cost.additionalCost': 'acq.additionalCost',
  fundDistribution: 'acq.funds',
  locations: 'acq.locations',
  'physical.expectedReceiptDate': 'ord.expectedOn',
  'eresource.accessProvider': 'acq.accessProvider',
  'eresource.activated': 'ord.activated',
  'eresource.expectedActivation': 'ord.activationOn',
  'eresource.trial': 'ord.trial',
  'eresource.userLimit': 'ord.userLimit',
  'eresource.resourceUrl': 'ord.resourceUrl',
}

const field = (name: string, label: TextId, of: Readonly<Record<string, TextId>>): Field => ({
  name,
  label,
  type: 'some',
  choices: Object.entries(of).map(([value, text]) => ({ value, text })),
})
export const HIDDEN: readonly Field[] = [
  field('$hiddenOfOrder', 'ord.hiddenOfOrder', OF_ORDER),
  field('$hiddenOfLine', 'ord.hiddenOfLine', OF_LINE),
]

const isOfOrder = (name: string) => name in OF_ORDER
const names = (value: unknown) => (Array.isArray(value) ? (value as string[]) : [])

/** The template as the form has it; names that are no field of ours stay among those of lines. */
export function withHidden(template: Values): Values {
  const all = hiddenNames(template.hiddenFields)
  return {
    ...template,
    $hiddenOfOrder: all.filter(isOfOrder),
    $hiddenOfLine: all.filter((name) => !isOfOrder(name)),
  }
}

export function withoutHidden(form: Values): Values {
  const { $hiddenOfOrder, $hiddenOfLine, ...template } = form
  const all = [...names($hiddenOfOrder), ...names($hiddenOfLine)]
  return { ...template, hiddenFields: hiddenFields(all) }
}
