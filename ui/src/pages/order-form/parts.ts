// The fields of an order.
import type { Address } from '#/acquisitions/addresses'
import { customSpecs } from '#/acquisitions/customFields'
import { type Choice, organizationLookup } from '#/acquisitions/form/fields'
import { userLookup } from '#/acquisitions/form/lookups'
import { ORDER_TYPE } from '#/acquisitions/words'
import type { Id } from '#/api/types'
import type { Text } from '#/i18n/text'
import type { Part, Spec } from '#/inventory/form/specs'
import type { CustomField } from '#/patrons/types'

type Named = readonly (Id & { name: string })[] | undefined
interface Known {
  prefixes: Named
  suffixes: Named
  units: Named
  addresses: readonly Address[] | undefined
  tags: Spec
  custom: readonly CustomField[] | undefined
}

/** A choice of records; a library without any has no such field. */
const chosen = (
  name: string,
  label: string,
  records: Named,
  value: (one: Id & { name: string }) => string = ({ id }) => id,
  kind: 'choice' | 'ids' = 'choice',
): Spec[] =>
  records?.length
    ? [
        {
          name,
          label,
          kind,
          choices: records.map((one) => ({ value: value(one), text: one.name })),
        },
      ]
    : []

export function orderParts(
  t: Text,
  choices: (values: readonly string[]) => Choice[],
  { prefixes, suffixes, units, addresses, tags, custom }: Known,
): Part[] {
  const byName = (one: { name: string }) => one.name
  const own: Part[] = custom?.length
    ? [{ title: t('ord.customFields'), fields: customSpecs(custom) }]
    : []
  return [
    {
      title: t('acq.summary'),
      fields: [
        {
          name: 'vendor',
          label: t('acq.vendor'),
          kind: 'lookup',
          lookup: organizationLookup,
          needed: true,
        },
        {
          name: 'orderType',
          label: t('acq.orderType'),
          kind: 'choice',
          choices: choices(ORDER_TYPE),
          needed: true,
        },
        ...chosen('poNumberPrefix', t('ord.prefix'), prefixes, byName),
        { name: 'poNumber', label: t('acq.poNumberOrMade'), kind: 'text' },
        ...chosen('poNumberSuffix', t('ord.suffix'), suffixes, byName),
        { name: 'assignedTo', label: t('ord.assignedTo'), kind: 'lookup', lookup: userLookup },
        ...chosen('billTo', t('ord.billTo'), addresses),
        ...chosen('shipTo', t('ord.shipTo'), addresses),
        ...chosen('acqUnitIds', t('ord.units'), units, undefined, 'ids'),
        { name: 'approved', label: t('acq.approved'), kind: 'flag' },
        { name: 'reEncumber', label: t('acq.reEncumber'), kind: 'flag' },
        { name: 'notes', label: t('acq.notes'), kind: 'texts', long: true },
        tags,
      ],
    },
    {
      title: t('acq.value.Ongoing'),
      fields: [
        { name: 'ongoing:isSubscription', label: t('acq.subscription'), kind: 'flag' },
        { name: 'ongoing:interval', label: t('acq.intervalDays'), kind: 'number' },
        { name: 'ongoing:renewalDate', label: t('acq.renewalDate'), kind: 'day' },
        { name: 'ongoing:manualRenewal', label: t('ord.manualRenewal'), kind: 'flag' },
        { name: 'ongoing:reviewPeriod', label: t('ord.reviewPeriod'), kind: 'number' },
        { name: 'ongoing:reviewDate', label: t('ord.reviewDate'), kind: 'day' },
        { name: 'ongoing:notes', label: t('acq.notes'), kind: 'long' },
      ],
    },
    ...own,
  ]
}
