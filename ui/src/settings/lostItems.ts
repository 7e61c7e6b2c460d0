// When a loan counts as lost, what is charged then, and what is given back when the item turns up.
import type { Field, Kind } from './kinds'
import { UNITS } from './units'

const LONG_UNITS = [...UNITS, { value: 'Years', text: 'set.years' }] as const

const period = (name: string, label: Field['label']): Field => ({
  name,
  label,
  type: 'period',
  units: LONG_UNITS,
})

export const LOST_ITEMS: Kind = {
  id: 'lost-items',
  path: '/lost-item-fees-policies',
  key: 'lostItemFeePolicies',
  name: 'name',
  title: 'set.lostItems',
  group: 'set.groupCirculation',
  permission: 'lost-item-fees-policies.item',
  fields: [
    { name: 'name', label: 'set.name', type: 'text', needed: true },
    { name: 'description', label: 'set.description', type: 'lines' },
    period('itemAgedLostOverdue', 'set.agedAfter'),
    period('patronBilledAfterAgedLost', 'set.billedAfter'),
    {
      name: '$recalled',
      label: 'set.recalledItems',
      type: 'group',
      fields: [
        period('recalledItemAgedLostOverdue', 'set.recalledAgedAfter'),
        period('patronBilledAfterRecalledItemAgedLost', 'set.recalledBilledAfter'),
      ],
    },
    {
      name: 'chargeAmountItem.chargeType',
      label: 'set.lostCost',
      type: 'select',
      choices: [
        { value: 'anotherCost', text: 'set.lostCost.fixed' },
        { value: 'actualCost', text: 'set.lostCost.actual' },
      ],
    },
    {
      name: 'chargeAmountItem.amount',
      label: 'set.lostAmount',
      type: 'number',
      when: { name: 'chargeAmountItem.chargeType', is: ['anotherCost'] },
    },
    {
      ...period('lostItemChargeFeeFine', 'set.costWithin'),
      when: { name: 'chargeAmountItem.chargeType', is: ['actualCost'] },
    },
    { name: 'lostItemProcessingFee', label: 'set.processing', type: 'number' },
    { name: 'chargeAmountItemPatron', label: 'set.processingDeclared', type: 'check' },
    { name: 'chargeAmountItemSystem', label: 'set.processingAged', type: 'check' },
    {
      name: '$returned',
      label: 'set.whenFound',
      type: 'group',
      fields: [
        {
          name: 'lostItemReturned',
          label: 'set.overdueThen',
          type: 'select',
          choices: [
            { value: 'Charge', text: 'set.overdueThen.charge' },
            { value: 'Remove', text: 'set.overdueThen.remove' },
          ],
        },
        period('feesFinesShallRefunded', 'set.refundWithin'),
        { name: 'returnedLostItemProcessingFee', label: 'set.processingBack', type: 'check' },
        { name: 'replacedLostItemProcessingFee', label: 'set.processingReplaced', type: 'check' },
        { name: 'replacementAllowed', label: 'set.replacementAllowed', type: 'check' },
        { name: 'replacementProcessingFee', label: 'set.replacementFee', type: 'number' },
      ],
    },
  ],
  columns: ['description'],
  fresh: {
    chargeAmountItem: { chargeType: 'anotherCost', amount: 0 },
    lostItemProcessingFee: 0,
    chargeAmountItemPatron: false,
    chargeAmountItemSystem: false,
    returnedLostItemProcessingFee: false,
    replacedLostItemProcessingFee: false,
    replacementProcessingFee: 0,
    replacementAllowed: false,
    lostItemReturned: 'Charge',
  },
}
