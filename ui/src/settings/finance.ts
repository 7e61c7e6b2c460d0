// What finance, invoices and organizations choose from.

import { entryOf, PRESETS, presetOf } from '#/acquisitions/presets'
import { PRORATE, RELATION } from '#/acquisitions/words'
import { get } from '#/api/client'
import type { TextId } from '#/i18n/text'
import type { Field, Kind } from './kinds'
import type { Values } from './paths'
import { VOUCHER_NUMBERS } from './vouchers'

const named = (name = 'name'): Field => ({ name, label: 'set.name', type: 'text', needed: true })
const DESCRIPTION: Field = { name: 'description', label: 'set.description', type: 'lines' }
const words = (values: readonly string[]) =>
  values.map((value) => ({ value, text: `acq.value.${value}` as TextId }))

export const FINANCE: readonly Kind[] = [
  {
    id: 'fund-types',
    path: '/finance/fund-types',
    key: 'fundTypes',
    name: 'name',
    title: 'fin.set.fundTypes',
    group: 'shell.finance',
    permission: 'finance.fund-types.item',
    fields: [named()],
  },
  {
    id: 'expense-classes',
    path: '/finance/expense-classes',
    key: 'expenseClasses',
    name: 'name',
    title: 'acq.expenseClasses',
    group: 'shell.finance',
    permission: 'finance.expense-classes.item',
    fields: [
      named(),
      { name: 'code', label: 'set.code', type: 'text', needed: true },
      { name: 'externalAccountNumberExt', label: 'fin.set.accountExtension', type: 'text' },
    ],
    columns: ['code', 'externalAccountNumberExt'],
  },
  {
    id: 'batch-groups',
    path: '/batch-groups',
    key: 'batchGroups',
    name: 'name',
    title: 'fin.set.batchGroups',
    group: 'shell.invoices',
    permission: 'batch-groups.item',
    fields: [named(), DESCRIPTION],
    columns: ['description'],
  },
  {
    id: 'adjustment-presets',
    path: '/configurations/entries',
    key: 'configs',
    name: 'description',
    where: PRESETS,
    row: presetOf,
    title: 'fin.set.presets',
    group: 'shell.invoices',
    permission: 'configuration.entries.item',
    wire: {
      read: async (id) => presetOf(await get<Values>(`/configurations/entries/${id}`)),
      body: entryOf,
    },
    fields: [
      { name: 'description', label: 'acq.description', type: 'text', needed: true },
      {
        name: 'type',
        label: 'acq.shareKind',
        type: 'select',
        choices: words(['Amount', 'Percentage']),
        needed: true,
      },
      { name: 'value', label: 'fin.set.usualValue', type: 'number' },
      {
        name: 'prorate',
        label: 'acq.prorate',
        type: 'select',
        choices: words(PRORATE),
        needed: true,
      },
      {
        name: 'relationToTotal',
        label: 'acq.relation',
        type: 'select',
        choices: words(RELATION),
        needed: true,
      },
      { name: 'exportToAccounting', label: 'acq.exportToAccounting', type: 'check' },
      { name: 'alwaysShow', label: 'fin.set.always', type: 'check' },
    ],
    columns: ['value'],
    fresh: {
      type: 'Amount',
      prorate: 'Not prorated',
      relationToTotal: 'In addition to',
      exportToAccounting: false,
      alwaysShow: false,
    },
  },
  VOUCHER_NUMBERS,
  {
    id: 'organization-types',
    path: '/organizations-storage/organization-types',
    key: 'organizationTypes',
    name: 'name',
    title: 'fin.set.organizationTypes',
    group: 'shell.organizations',
    permission: 'organizations-storage.organization-types.item',
    fields: [
      named(),
      {
        name: 'status',
        label: 'acq.status',
        type: 'select',
        choices: words(['Active', 'Inactive']),
        needed: true,
      },
    ],
    columns: ['status'],
    fresh: { status: 'Active' },
  },
  {
    id: 'organization-categories',
    path: '/organizations-storage/categories',
    key: 'categories',
    name: 'value',
    title: 'fin.categories',
    group: 'shell.organizations',
    permission: 'organizations-storage.categories.item',
    fields: [named('value')],
  },
  {
    id: 'account-types',
    path: '/organizations-storage/banking-account-types',
    key: 'bankingAccountTypes',
    name: 'name',
    title: 'fin.set.accountTypes',
    group: 'shell.organizations',
    permission: 'organizations-storage.banking-account-types.item',
    fields: [named()],
  },
  {
    id: 'organization-settings',
    path: '/organizations-storage/settings',
    key: 'settings',
    name: 'key',
    where: 'key=="BANKING_INFORMATION_ENABLED"',
    title: 'fin.set.switches',
    group: 'shell.organizations',
    permission: 'organizations-storage.settings.item',
    fixed: true,
    fields: [
      {
        name: 'value',
        label: 'fin.set.banking',
        type: 'select',
        choices: [
          { value: 'true', text: 'fin.set.on' },
          { value: 'false', text: 'fin.set.off' },
        ],
        needed: true,
      },
    ],
    columns: ['value'],
  },
]
