// What orders are made by: what stands around their numbers, why they are closed, who protects them, templates.
import type { Field, Kind } from './kinds'
import { ORDER_SETTINGS } from './orders/entries'
import { ADDRESSES, METHODS, PREFIXES, REASONS, SUFFIXES } from './orders/sources'
import { TEMPLATES } from './orders/templates'
import { UNITS } from './orders/units'

const group = 'ord.group'
const named = (name: string): Field => ({ name, label: 'set.name', type: 'text', needed: true })
const DESCRIPTION: Field = { name: 'description', label: 'set.description', type: 'lines' }

export const ORDERS: readonly Kind[] = [
  ORDER_SETTINGS,
  TEMPLATES,
  {
    ...PREFIXES,
    id: 'order-prefixes',
    title: 'ord.prefixes',
    group,
    permission: 'orders.configuration.prefixes.item',
    fields: [named('name'), DESCRIPTION],
    columns: ['description'],
  },
  {
    ...SUFFIXES,
    id: 'order-suffixes',
    title: 'ord.suffixes',
    group,
    permission: 'orders.configuration.suffixes.item',
    fields: [named('name'), DESCRIPTION],
    columns: ['description'],
  },
  {
    ...REASONS,
    id: 'closing-reasons',
    title: 'ord.closingReasons',
    group,
    permission: 'orders.configuration.reasons-for-closure.item',
    fields: [named('reason')],
    columns: ['source'],
  },
  {
    ...METHODS,
    id: 'acquisition-methods',
    title: 'ord.methods',
    group,
    permission: 'orders.acquisition-method.item',
    fields: [named('value')],
    columns: ['source'],
    fresh: { source: 'User' },
  },
  UNITS,
  {
    ...ADDRESSES,
    id: 'addresses',
    title: 'ord.addresses',
    group,
    permission: 'tenant-addresses.item',
    fields: [named('name'), { name: 'address', label: 'ord.address', type: 'lines' }],
    columns: ['address'],
  },
]
