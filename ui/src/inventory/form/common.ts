// Fields that all three kinds of records have.

import type { ListName } from '#/api/lists'
import type { Text } from '#/i18n/text'
import type { Spec } from './specs'

export const administrative = (t: Text): Spec[] => [
  { name: 'discoverySuppress', label: t('inventory.suppressed'), kind: 'flag' },
  {
    name: 'statisticalCodeIds',
    label: t('inventory.codes'),
    kind: 'ids',
    list: 'statisticalCodes',
  },
  {
    name: 'administrativeNotes',
    label: t('inventory.administrativeNotes'),
    kind: 'texts',
    long: true,
  },
]

export const notes = (t: Text, list: ListName, type: string): Spec => ({
  name: 'notes',
  label: t('inventory.notes'),
  kind: 'rows',
  fields: [
    { name: type, label: t('inventory.kindOfNote'), kind: 'list', list, needed: true },
    { name: 'note', label: t('inventory.by.note'), kind: 'long', needed: true },
    { name: 'staffOnly', label: t('inventory.staffOnly'), kind: 'flag' },
  ],
})

export const electronicAccess = (t: Text): Spec => ({
  name: 'electronicAccess',
  label: t('inventory.electronicAccess'),
  kind: 'rows',
  fields: [
    {
      name: 'relationshipId',
      label: t('inventory.relationship'),
      kind: 'list',
      list: 'electronicAccess',
    },
    { name: 'uri', label: 'URI', kind: 'text', needed: true },
    { name: 'linkText', label: t('inventory.linkText'), kind: 'text' },
    { name: 'publicNote', label: t('inventory.publicNote'), kind: 'text' },
  ],
})
