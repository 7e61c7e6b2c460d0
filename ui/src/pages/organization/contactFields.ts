// The fields of a contact.
import type { Choice } from '#/acquisitions/form/fields'
import { PHONE } from '#/acquisitions/words'
import type { Text } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'

export function contactFields(
  t: Text,
  choices: (values: readonly string[]) => Choice[],
  categories: readonly { id: string; value: string }[],
): Spec[] {
  const main: Spec = { name: 'isPrimary', label: t('acq.main'), kind: 'flag' }
  const description: Spec = { name: 'description', label: t('acq.description'), kind: 'text' }
  return [
    { name: 'firstName', label: t('acq.firstName'), kind: 'text', needed: true },
    { name: 'lastName', label: t('acq.lastName'), kind: 'text', needed: true },
    { name: 'prefix', label: t('fin.prefix'), kind: 'text' },
    { name: 'notes', label: t('acq.note'), kind: 'text' },
    { name: 'inactive', label: t('acq.value.Inactive'), kind: 'flag' },
    {
      name: 'categories',
      label: t('fin.categories'),
      kind: 'ids',
      choices: categories.map((one) => ({ value: one.id, text: one.value })),
    },
    {
      name: 'emails',
      label: t('acq.emails'),
      kind: 'rows',
      fields: [
        { name: 'value', label: t('acq.email'), kind: 'text', needed: true },
        description,
        main,
      ],
    },
    {
      name: 'phoneNumbers',
      label: t('acq.phones'),
      kind: 'rows',
      fields: [
        { name: 'phoneNumber', label: t('acq.phone'), kind: 'text', needed: true },
        { name: 'type', label: t('fin.kind'), kind: 'choice', choices: choices(PHONE) },
        main,
      ],
    },
    {
      name: 'addresses',
      label: t('acq.addresses'),
      kind: 'rows',
      fields: [
        { name: 'addressLine1', label: t('acq.street'), kind: 'text' },
        { name: 'zipCode', label: t('acq.zip'), kind: 'text' },
        { name: 'city', label: t('acq.city'), kind: 'text' },
        { name: 'country', label: t('acq.country'), kind: 'text' },
        main,
      ],
    },
  ]
}
