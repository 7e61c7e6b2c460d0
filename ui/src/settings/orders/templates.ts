// Order templates: what new orders and their lines begin with. FOLIO keeps both in one record.
import { organizationLookup } from '#/acquisitions/form/fields'
import { FORMAT, INVENTORY, ORDER_TYPE } from '#/acquisitions/words'
import { get } from '#/api/client'
import type { TextId } from '#/i18n/text'
import type { Field, Kind, Source } from '../kinds'
import type { Values } from '../paths'
import { HIDDEN, withHidden, withoutHidden } from './hideable'
import { ADDRESSES, METHODS, PREFIXES, SUFFIXES } from './sources'

const words = (values: readonly string[]) =>
  values.map((value) => ({ value, text: `acq.value.${value}` as TextId }))
const list = (path: string, key: string, name = 'name'): Source => ({ path, key, name })
const MATERIALS = list('/material-types', 'mtypes')

const text = (name: string, label: TextId): Field => ({ name, label, type: 'text' })
const lines = (name: string, label: TextId): Field => ({ name, label, type: 'lines' })
const check = (name: string, label: TextId): Field => ({ name, label, type: 'check' })
const number = (name: string, label: TextId): Field => ({ name, label, type: 'number' })
const choice = (name: string, label: TextId, values: readonly string[]): Field => ({
  name,
  label,
  type: 'select',
  choices: words(values),
  clears: true,
})
const ref = (name: string, label: TextId, of: Source): Field => ({
  name,
  label,
  type: 'ref',
  of,
  clears: true,
})

const PLACES: Field = {
  name: 'locations',
  label: 'acq.locations',
  type: 'rows',
  add: 'ord.addLocation',
  next: () => ({ quantityPhysical: 1 }),
  fields: [
    ref('locationId', 'acq.location', list('/locations', 'locations')),
    number('quantityPhysical', 'acq.physicalCopies'),
    number('quantityElectronic', 'acq.electronicCopies'),
  ],
}
const FUNDS: Field = {
  name: 'fundDistribution',
  label: 'acq.funds',
  type: 'rows',
  add: 'ord.addFund',
  next: () => ({ distributionType: 'percentage', value: 100 }),
  fields: [
    { ...ref('fundId', 'acq.fund', list('/finance/funds', 'funds', 'code')), needed: true },
    ref('expenseClassId', 'acq.expenseClass', list('/finance/expense-classes', 'expenseClasses')),
    { ...number('value', 'acq.share'), needed: true },
    choice('distributionType', 'acq.shareKind', ['percentage', 'amount']),
  ],
}

const PATH = '/orders/order-templates'

export const TEMPLATES: Kind = {
  id: 'order-templates',
  path: PATH,
  key: 'orderTemplates',
  name: 'templateName',
  title: 'ord.templates',
  group: 'ord.group',
  permission: 'orders.order-templates.item',
  fields: [
    { name: 'templateName', label: 'set.name', type: 'text', needed: true },
    text('templateCode', 'set.code'),
    lines('templateDescription', 'set.description'),
    { name: 'vendor', label: 'acq.vendor', type: 'lookup', lookup: organizationLookup },
    choice('orderType', 'acq.orderType', ORDER_TYPE),
    ref('poNumberPrefix', 'ord.prefix', { ...PREFIXES, value: 'name' }),
    ref('poNumberSuffix', 'ord.suffix', { ...SUFFIXES, value: 'name' }),
    ref('billTo', 'ord.billTo', ADDRESSES),
    ref('shipTo', 'ord.shipTo', ADDRESSES),
    check('approved', 'acq.approved'),
    check('reEncumber', 'acq.reEncumber'),
    choice('orderFormat', 'acq.format', FORMAT),
    ref('acquisitionMethod', 'acq.method', METHODS),
    check('checkinItems', 'acq.independentLong'),
    check('rush', 'acq.rush'),
    number('cost.listUnitPrice', 'acq.unitPrice'),
    number('cost.quantityPhysical', 'acq.physicalCopies'),
    number('cost.listUnitPriceElectronic', 'acq.unitPriceElectronic'),
    number('cost.quantityElectronic', 'acq.electronicCopies'),
    text('cost.currency', 'acq.currency'),
    number('cost.additionalCost', 'acq.additionalCost'),
    FUNDS,
    PLACES,
    choice('physical.createInventory', 'ord.makesPhysical', INVENTORY),
    ref('physical.materialType', 'ord.materialPhysical', MATERIALS),
    choice('eresource.createInventory', 'ord.makesElectronic', INVENTORY),
    ref('eresource.materialType', 'ord.materialElectronic', MATERIALS),
    {
      name: 'eresource.accessProvider',
      label: 'acq.accessProvider',
      type: 'lookup',
      lookup: organizationLookup,
    },
    text('vendorDetail.vendorAccount', 'acq.vendorAccount'),
    lines('vendorDetail.instructions', 'acq.instructions'),
    lines('details.receivingNote', 'acq.receivingNote'),
    ...HIDDEN,
  ],
  wire: {
    read: async (id) => withHidden(await get<Values>(`${PATH}/${id}`)),
    body: withoutHidden,
  },
  columns: ['templateCode', 'templateDescription'],
}
