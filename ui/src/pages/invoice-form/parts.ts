// The fields of an invoice. After approval only those that may still change.
import { type Choice, organizationLookup } from '#/acquisitions/form/fields'
import { adjustmentOf, type Preset } from '#/acquisitions/invoices'
import { METHOD, PRORATE, RELATION } from '#/acquisitions/words'
import type { Text } from '#/i18n/text'
import type { Part, Spec, Values } from '#/inventory/form/specs'

interface Known {
  isStored: boolean
  isFixed: boolean
  funds: Spec
  groups: readonly Choice[]
  currencies: readonly Choice[]
  presets: readonly Preset[]
  tags: Spec
}

type Choices = (values: readonly string[]) => Choice[]

export function invoiceParts(t: Text, choices: Choices, known: Known): Part[] {
  const { isStored, isFixed, funds, groups, currencies, presets, tags } = known
  const late: Spec[] = [
    {
      name: 'paymentMethod',
      label: t('acq.paymentMethod'),
      kind: 'choice',
      choices: choices(METHOD),
      needed: true,
    },
    { name: 'paymentDue', label: t('acq.paymentDue'), kind: 'day' },
    { name: 'note', label: t('acq.note'), kind: 'long' },
    tags,
  ]
  if (isFixed)
    return [
      {
        title: t('acq.summary'),
        fields: [
          {
            name: 'vendorInvoiceNo',
            label: t('acq.vendorInvoiceNo'),
            kind: 'text',
            needed: true,
          },
          ...late,
        ],
      },
    ]
  return [
    {
      title: t('acq.summary'),
      fields: [
        {
          name: 'vendorId',
          label: t('acq.vendor'),
          kind: 'lookup',
          lookup: organizationLookup,
          needed: true,
        },
        { name: 'vendorInvoiceNo', label: t('acq.vendorInvoiceNo'), kind: 'text', needed: true },
        { name: 'invoiceDate', label: t('acq.invoiceDate'), kind: 'day', needed: true },
        ...(isStored
          ? [
              {
                name: 'status',
                label: t('acq.status'),
                kind: 'choice' as const,
                choices: choices(['Open', 'Reviewed']),
                needed: true,
              },
            ]
          : []),
        {
          name: 'batchGroupId',
          label: t('acq.batchGroup'),
          kind: 'choice',
          choices: groups,
          needed: true,
        },
        {
          name: 'currency',
          label: t('acq.currency'),
          kind: 'choice',
          choices: currencies,
          needed: true,
        },
        { name: 'exchangeRate', label: t('acq.exchangeRate'), kind: 'number' },
        { name: 'lockTotal', label: t('acq.lockTotal'), kind: 'number' },
        { name: 'accountingCode', label: t('acq.accountingCode'), kind: 'text' },
        { name: 'exportToAccounting', label: t('acq.exportToAccounting'), kind: 'flag' },
        ...late,
      ],
    },
    { title: t('acq.adjustments'), fields: [adjustments(t, choices, funds, presets)] },
  ]
}

const adjustments = (t: Text, choices: Choices, funds: Spec, presets: readonly Preset[]): Spec => ({
  name: 'adjustments',
  label: t('acq.adjustments'),
  kind: 'rows',
  offers: presets.map((preset) => ({
    text: preset.description ?? '',
    row: adjustmentOf(preset) as Values,
  })),
  fields: [
    { name: 'description', label: t('acq.description'), kind: 'text', needed: true },
    { name: 'value', label: t('acq.amount'), kind: 'number', needed: true },
    {
      name: 'type',
      label: t('acq.shareKind'),
      kind: 'choice',
      choices: choices(['Amount', 'Percentage']),
      needed: true,
    },
    {
      name: 'prorate',
      label: t('acq.prorate'),
      kind: 'choice',
      choices: choices(PRORATE),
      needed: true,
    },
    {
      name: 'relationToTotal',
      label: t('acq.relation'),
      kind: 'choice',
      choices: choices(RELATION),
      needed: true,
    },
    { name: 'exportToAccounting', label: t('acq.exportToAccounting'), kind: 'flag' },
    // Those that are not prorated are paid from funds of their own.
    funds,
  ],
})
