// The fields of an order line. What it may not change any more, once its order is open, is left out.
import { customSpecs } from '#/acquisitions/customFields'
import { type Choice, organizationLookup } from '#/acquisitions/form/fields'
import { instanceLookup, packageLookup } from '#/acquisitions/form/lookups'
import { claiming, contributors, productIds } from '#/acquisitions/form/titleFields'
import { FORMAT, INVENTORY, PAYMENT, RECEIPT, REFERENCE } from '#/acquisitions/words'
import type { Text } from '#/i18n/text'
import type { Part, Spec } from '#/inventory/form/specs'
import type { CustomField } from '#/patrons/types'

interface Known {
  isStored: boolean
  /** The order is no longer pending: places and copies are those of its pieces. */
  isOpen: boolean
  funds: Spec
  methods: readonly Choice[]
  currencies: readonly Choice[]
  tags: Spec
  custom: readonly CustomField[] | undefined
}

/** What the server refuses to change in an order that was opened. */
export const FIXED: ReadonlySet<string> = new Set([
  'acquisitionMethod',
  'checkinItems',
  'collection',
  'contributors',
  'details:productIds',
  'donor',
  'isPackage',
  'instanceId',
  'orderFormat',
  'packagePoLineId',
  'rush',
  'selector',
  'vendorDetail:instructions',
  'physical:createInventory',
  'physical:materialType',
  'eresource:createInventory',
  'eresource:materialType',
  'eresource:trial',
  'eresource:userLimit',
  // Places follow the pieces.
  'locations',
])

export function lineParts(
  t: Text,
  choices: (values: readonly string[]) => Choice[],
  { isStored, isOpen, funds, methods, currencies, tags, custom }: Known,
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
  const parts: Part[] = [
    {
      title: t('acq.title'),
      fields: [
        { name: 'titleOrPackage', label: t('acq.title'), kind: 'text', needed: true },
        { name: 'publisher', label: t('acq.publisher'), kind: 'text' },
        { name: 'publicationDate', label: t('acq.published'), kind: 'text' },
        { name: 'edition', label: t('acq.edition'), kind: 'text' },
        { name: 'isPackage', label: t('ord.isPackage'), kind: 'flag' },
        {
          name: 'packagePoLineId',
          label: t('ord.partOfPackage'),
          kind: 'lookup',
          lookup: packageLookup,
        },
        {
          name: 'instanceId',
          label: t('ord.catalogueTitle'),
          kind: 'lookup',
          lookup: instanceLookup,
        },
        contributors(t),
        productIds(t, 'details:productIds'),
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
        { name: 'collection', label: t('ord.collection'), kind: 'flag' },
        { name: 'automaticExport', label: t('ord.automaticExport'), kind: 'flag' },
        { name: 'details:isBinderyActive', label: t('ord.bindery'), kind: 'flag' },
        ...claiming(t),
        { name: 'requester', label: t('acq.requester'), kind: 'text' },
        { name: 'selector', label: t('ord.selector'), kind: 'text' },
        { name: 'donor', label: t('ord.donor'), kind: 'text' },
        { name: 'details:subscriptionFrom', label: t('ord.subscriptionFrom'), kind: 'day' },
        { name: 'details:subscriptionTo', label: t('ord.subscriptionTo'), kind: 'day' },
        { name: 'renewalNote', label: t('ord.renewalNote'), kind: 'long' },
        { name: 'vendorDetail:vendorAccount', label: t('acq.vendorAccount'), kind: 'text' },
        { name: 'vendorDetail:instructions', label: t('acq.instructions'), kind: 'long' },
        {
          name: 'vendorDetail:referenceNumbers',
          label: t('ord.references'),
          kind: 'rows',
          fields: [
            { name: 'refNumber', label: t('ord.reference'), kind: 'text', needed: true },
            {
              name: 'refNumberType',
              label: t('ord.referenceType'),
              kind: 'choice',
              choices: REFERENCE.map((value) => ({ value, text: t(`ord.ref.${value}`) })),
              needed: true,
            },
          ],
        },
        { name: 'details:receivingNote', label: t('acq.receivingNote'), kind: 'long' },
        { name: 'poLineDescription', label: t('acq.note'), kind: 'long' },
        tags,
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
    { title: t('acq.locations'), fields: [places] },
    {
      title: t('acq.physicalPart'),
      fields: [
        ...inventory('physical'),
        { name: 'physical:expectedReceiptDate', label: t('ord.expectedOn'), kind: 'day' },
      ],
    },
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
        { name: 'eresource:activated', label: t('ord.activated'), kind: 'flag' },
        { name: 'eresource:expectedActivation', label: t('ord.activationOn'), kind: 'day' },
        { name: 'eresource:trial', label: t('ord.trial'), kind: 'flag' },
        { name: 'eresource:userLimit', label: t('ord.userLimit'), kind: 'number' },
        { name: 'eresource:resourceUrl', label: t('ord.resourceUrl'), kind: 'text' },
      ],
    },
    { title: t('ord.customFields'), fields: customSpecs(custom ?? []) },
  ]
  return parts
    .map((part) => ({
      ...part,
      fields: part.fields.filter(({ name }) => !isOpen || !FIXED.has(name)),
    }))
    .filter(({ fields }) => fields.length)
}
