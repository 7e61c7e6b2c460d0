// The fields of holdings.
import type { Text } from '#/i18n/text'
import { administrative, electronicAccess, notes } from '#/inventory/form/common'
import type { Part } from '#/inventory/form/specs'

export const holdingsParts = (t: Text): Part[] => [
  {
    title: t('inventory.location'),
    fields: [
      {
        name: 'permanentLocationId',
        label: t('inventory.permanentLocation'),
        kind: 'list',
        list: 'locations',
        needed: true,
      },
      {
        name: 'temporaryLocationId',
        label: t('inventory.temporaryLocation'),
        kind: 'list',
        list: 'locations',
      },
      {
        name: 'callNumberTypeId',
        label: t('inventory.callNumberType'),
        kind: 'list',
        list: 'callNumberTypes',
      },
      { name: 'callNumberPrefix', label: t('inventory.prefix'), kind: 'text' },
      { name: 'callNumber', label: t('inventory.by.callNumber'), kind: 'text' },
      { name: 'callNumberSuffix', label: t('inventory.suffix'), kind: 'text' },
      { name: 'shelvingTitle', label: t('inventory.shelvingTitle'), kind: 'text' },
      { name: 'copyNumber', label: t('inventory.copy'), kind: 'text' },
    ],
  },
  {
    title: t('inventory.statements'),
    fields: [
      {
        name: 'holdingsStatements',
        label: t('inventory.statements'),
        kind: 'rows',
        fields: [
          { name: 'statement', label: t('inventory.statement'), kind: 'text', needed: true },
          { name: 'note', label: t('inventory.publicNote'), kind: 'text' },
          { name: 'staffNote', label: t('inventory.staffOnly'), kind: 'text' },
        ],
      },
      { name: 'numberOfItems', label: t('inventory.numberOfItems'), kind: 'text' },
      { name: 'illPolicyId', label: t('inventory.illPolicy'), kind: 'list', list: 'illPolicies' },
      { name: 'retentionPolicy', label: t('inventory.retention'), kind: 'text' },
      { name: 'acquisitionMethod', label: t('inventory.acquisitionMethod'), kind: 'text' },
      { name: 'receiptStatus', label: t('inventory.receiptStatus'), kind: 'text' },
    ],
  },
  {
    title: t('inventory.administrative'),
    fields: [
      {
        name: 'holdingsTypeId',
        label: t('inventory.facet.holdings_holdingsTypeId'),
        kind: 'list',
        list: 'holdingsTypes',
      },
      ...administrative(t),
    ],
  },
  {
    title: t('inventory.notes'),
    fields: [notes(t, 'holdingsNoteTypes', 'holdingsNoteTypeId'), electronicAccess(t)],
  },
]
