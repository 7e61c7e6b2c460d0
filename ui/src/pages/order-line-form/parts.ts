// The fields of an order line. What is left out (contributors, product ids, packages) stays in the record as it is.
import { type Choice, organizationLookup } from '#/acquisitions/form/fields'
import { FORMAT, INVENTORY, PAYMENT, RECEIPT } from '#/acquisitions/words'
import type { Text } from '#/i18n/text'
import type { Part, Spec } from '#/inventory/form/specs'

interface Known {
  isStored: boolean
  /** The order is no longer pending: places and copies are those of its pieces. */
  isOpen: boolean
  funds: Spec
  methods: readonly Choice[]
  currencies: readonly Choice[]
}

export function lineParts(
  t: Text,
  choices: (values: readonly string[]) => Choice[],
  { isStored, isOpen, funds, methods, currencies }: Known,
): Part[] {
  const inventory = (part: string): Spec[] => [
    {
      name: `${part}:createInventory`,
      label: t('acq.createInventory'),
      kind: 'choice',
      choices: choices(INVENTORY),
    },
    {
      name: `${part}:materialType`,
      label: t('acq.materialType'),
      kind: 'list',
      list: 'materialTypes',
    },
  ]
  const statuses: Spec[] = isStored
    ? [
        {
          name: 'receiptStatus',
          label: t('acq.receiptStatus'),
          kind: 'choice',
          choices: choices(RECEIPT),
        },
        {
          name: 'paymentStatus',
          label: t('acq.paymentStatus'),
          kind: 'choice',
          choices: choices(PAYMENT),
        },
      ]
    : []
  const places: Spec = {
    name: 'locations',
    label: t('acq.locations'),
    kind: 'rows',
    fields: [
      { name: 'locationId', label: t('acq.location'), kind: 'list', list: 'locations' },
      { name: 'quantityPhysical', label: t('acq.physicalCopies'), kind: 'number' },
      { name: 'quantityElectronic', label: t('acq.electronicCopies'), kind: 'number' },
    ],
  }
  return [
    {
      title: t('acq.title'),
      fields: [
        { name: 'titleOrPackage', label: t('acq.title'), kind: 'text', needed: true },
        { name: 'publisher', label: t('acq.publisher'), kind: 'text' },
        { name: 'publicationDate', label: t('acq.published'), kind: 'text' },
        { name: 'edition', label: t('acq.edition'), kind: 'text' },
      ],
    },
    {
      title: t('acq.order'),
      fields: [
        {
          name: 'orderFormat',
          label: t('acq.format'),
          kind: 'choice',
          choices: choices(FORMAT),
          needed: true,
        },
        {
          name: 'acquisitionMethod',
          label: t('acq.method'),
          kind: 'choice',
          choices: methods,
          needed: true,
        },
        ...statuses,
        { name: 'checkinItems', label: t('acq.independentLong'), kind: 'flag' },
        { name: 'rush', label: t('acq.rush'), kind: 'flag' },
        { name: 'requester', label: t('acq.requester'), kind: 'text' },
        { name: 'vendorDetail:vendorAccount', label: t('acq.vendorAccount'), kind: 'text' },
        { name: 'vendorDetail:instructions', label: t('acq.instructions'), kind: 'long' },
        { name: 'details:receivingNote', label: t('acq.receivingNote'), kind: 'long' },
        { name: 'poLineDescription', label: t('acq.note'), kind: 'long' },
      ],
    },
    {
      title: t('acq.money'),
      fields: [
        { name: 'cost:listUnitPrice', label: t('acq.unitPrice'), kind: 'number' },
        { name: 'cost:quantityPhysical', label: t('acq.physicalCopies'), kind: 'number' },
        {
          name: 'cost:listUnitPriceElectronic',
          label: t('acq.unitPriceElectronic'),
          kind: 'number',
        },
        { name: 'cost:quantityElectronic', label: t('acq.electronicCopies'), kind: 'number' },
        {
          name: 'cost:currency',
          label: t('acq.currency'),
          kind: 'choice',
          choices: currencies,
          needed: true,
        },
        { name: 'cost:exchangeRate', label: t('acq.exchangeRate'), kind: 'number' },
        { name: 'cost:discount', label: t('acq.discount'), kind: 'number' },
        {
          name: 'cost:discountType',
          label: t('acq.shareKind'),
          kind: 'choice',
          choices: choices(['percentage', 'amount']),
        },
        { name: 'cost:additionalCost', label: t('acq.additionalCost'), kind: 'number' },
        funds,
      ],
    },
    { title: t('acq.locations'), fields: isOpen ? [] : [places] },
    { title: t('acq.physicalPart'), fields: inventory('physical') },
    {
      title: t('acq.electronicPart'),
      fields: [
        {
          name: 'eresource:accessProvider',
          label: t('acq.accessProvider'),
          kind: 'lookup',
          lookup: organizationLookup,
        },
        ...inventory('eresource'),
      ],
    },
  ].filter(({ fields }) => fields.length) as Part[]
}
