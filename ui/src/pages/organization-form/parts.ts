// The fields of an organization. Contacts and interfaces are records of their own: they are added on its page.
import type { Choice } from '#/acquisitions/form/fields'
import { METHOD, ORGANIZATION } from '#/acquisitions/words'
import type { Text } from '#/i18n/text'
import type { Part, Spec } from '#/inventory/form/specs'

type Choices = (values: readonly string[]) => Choice[]

export function organizationParts(
  t: Text,
  choices: Choices,
  types: readonly { id: string; name: string }[],
  currencies: readonly Choice[],
  tags: Spec,
): Part[] {
  const main: Spec = { name: 'isPrimary', label: t('acq.main'), kind: 'flag' }
  const description: Spec = { name: 'description', label: t('acq.description'), kind: 'text' }
  return [
    {
      title: t('acq.summary'),
      fields: [
        { name: 'name', label: t('acq.name'), kind: 'text', needed: true },
        { name: 'code', label: t('acq.codeOf'), kind: 'text', needed: true },
        {
          name: 'status',
          label: t('acq.status'),
          kind: 'choice',
          needed: true,
          choices: choices(ORGANIZATION),
        },
        { name: 'isVendor', label: t('acq.isVendor'), kind: 'flag' },
        { name: 'description', label: t('acq.description'), kind: 'long' },
        tags,
        {
          name: 'aliases',
          label: t('acq.aliases'),
          kind: 'rows',
          fields: [
            { name: 'value', label: t('acq.alias'), kind: 'text', needed: true },
            description,
          ],
        },
        {
          name: 'organizationTypes',
          label: t('acq.organizationTypes'),
          kind: 'ids',
          choices: types.map((one) => ({ value: one.id, text: one.name })),
        },
      ],
    },
    {
      title: t('acq.reached'),
      fields: [
        {
          name: 'addresses',
          label: t('acq.addresses'),
          kind: 'rows',
          fields: [
            { name: 'addressLine1', label: t('acq.street'), kind: 'text' },
            { name: 'addressLine2', label: t('acq.street2'), kind: 'text' },
            { name: 'zipCode', label: t('acq.zip'), kind: 'text' },
            { name: 'city', label: t('acq.city'), kind: 'text' },
            { name: 'stateRegion', label: t('acq.region'), kind: 'text' },
            { name: 'country', label: t('acq.country'), kind: 'text' },
            main,
          ],
        },
        {
          name: 'phoneNumbers',
          label: t('acq.phones'),
          kind: 'rows',
          fields: [
            { name: 'phoneNumber', label: t('acq.phone'), kind: 'text', needed: true },
            main,
          ],
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
          name: 'urls',
          label: t('acq.urls'),
          kind: 'rows',
          fields: [
            { name: 'value', label: t('acq.uri'), kind: 'text', needed: true },
            description,
            main,
          ],
        },
      ],
    },
    {
      title: t('acq.asVendor'),
      fields: [
        { name: 'erpCode', label: t('acq.erpCode'), kind: 'text' },
        { name: 'taxId', label: t('acq.taxId'), kind: 'text' },
        {
          name: 'paymentMethod',
          label: t('acq.paymentMethod'),
          kind: 'choice',
          choices: choices(METHOD),
        },
        { name: 'discountPercent', label: t('acq.discountPercent'), kind: 'number' },
        { name: 'claimingInterval', label: t('acq.claimingDays'), kind: 'number' },
        { name: 'exportToAccounting', label: t('acq.exportToAccounting'), kind: 'flag' },
        {
          name: 'vendorCurrencies',
          label: t('acq.currencies'),
          kind: 'ids',
          choices: currencies,
        },
        {
          name: 'accounts',
          label: t('acq.accounts'),
          kind: 'rows',
          fields: [
            { name: 'name', label: t('acq.name'), kind: 'text', needed: true },
            { name: 'accountNo', label: t('acq.accountNo'), kind: 'text', needed: true },
            {
              name: 'accountStatus',
              label: t('acq.status'),
              kind: 'choice',
              needed: true,
              choices: choices(['Active', 'Inactive']),
            },
            {
              name: 'paymentMethod',
              label: t('acq.paymentMethod'),
              kind: 'choice',
              choices: choices(METHOD),
            },
            description,
          ],
        },
      ],
    },
  ]
}
