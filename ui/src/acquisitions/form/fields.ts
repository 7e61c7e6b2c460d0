// Fields that several forms of acquisitions have.
import { get } from '#/api/client'
import type { Text } from '#/i18n/text'
import type { LookupOf, Spec } from '#/inventory/form/specs'
import { findOrganizations } from '../queries'
import type { Organization } from '../types'

export interface Choice {
  value: string
  text: string
}

export const organizationLookup: LookupOf = {
  list: 'acq-organizations',
  search: findOrganizations,
  nameOf: async (id, signal) =>
    (await get<Organization>(`/organizations/organizations/${id}`, undefined, signal)).name,
}

/** Currencies by their codes, the library's own first. */
export function currencies(own: string): Choice[] {
  const all = new Set([own, ...Intl.supportedValuesOf('currency')])
  return [...all].map((value) => ({ value, text: value }))
}

export const distributions = (
  t: Text,
  name: string,
  funds: readonly Choice[],
  classes: readonly Choice[],
  kinds: readonly Choice[],
): Spec => ({
  name,
  label: t('acq.funds'),
  kind: 'rows',
  fields: [
    { name: 'fundId', label: t('acq.fund'), kind: 'choice', choices: funds, needed: true },
    { name: 'expenseClassId', label: t('acq.expenseClass'), kind: 'choice', choices: classes },
    { name: 'value', label: t('acq.share'), kind: 'number', needed: true },
    {
      name: 'distributionType',
      label: t('acq.shareKind'),
      kind: 'choice',
      choices: kinds,
      needed: true,
    },
  ],
})
