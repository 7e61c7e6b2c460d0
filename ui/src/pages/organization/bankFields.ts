// The fields of a bank account.
import type { Text } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'

export const bankFields = (
  t: Text,
  types: readonly { id: string; name: string }[],
  categories: readonly { id: string; value: string }[],
): Spec[] => [
  { name: 'bankName', label: t('fin.bank'), kind: 'text', needed: true },
  { name: 'bankAccountNumber', label: t('acq.accountNo'), kind: 'text', needed: true },
  { name: 'transitNumber', label: t('fin.transitNumber'), kind: 'text' },
  {
    name: 'accountTypeId',
    label: t('fin.accountType'),
    kind: 'choice',
    choices: types.map((one) => ({ value: one.id, text: one.name })),
  },
  {
    name: 'categoryId',
    label: t('fin.category'),
    kind: 'choice',
    choices: categories.map((one) => ({ value: one.id, text: one.value })),
  },
  { name: 'notes', label: t('acq.note'), kind: 'text' },
  { name: 'isPrimary', label: t('acq.main'), kind: 'flag' },
]
