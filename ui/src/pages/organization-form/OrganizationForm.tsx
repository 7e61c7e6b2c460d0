// An organization is made or changed.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AcqForm, useEdited } from '#/acquisitions/form/AcqForm'
import { currencies } from '#/acquisitions/form/fields'
import { recordQuery, typesQuery } from '#/acquisitions/queries'
import { keepTags, useTagField } from '#/acquisitions/tags'
import type { Organization } from '#/acquisitions/types'
import { useChoices } from '#/acquisitions/words'
import { post, put } from '#/api/client'
import { useLocale } from '#/api/locale'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { organizationParts } from './parts'

const PATH = '/organizations/organizations'
const NEW = { name: '', code: '', status: 'Active', isVendor: true } as unknown as Organization

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions'),
    queryClient.ensureQueryData(typesQuery).catch(() => []),
    id !== 'new' && queryClient.fetchQuery(recordQuery<Organization>(PATH, id)),
  ])
}

export function OrganizationForm() {
  const t = useText()
  const choices = useChoices()
  const { currency } = useLocale()
  const id = useEdited()
  const { data: types } = useQuery(typesQuery)
  const { data } = useQuery({
    ...recordQuery<Organization>(PATH, id ?? ''),
    enabled: false,
  })
  const record = id && data ? data : NEW
  const tags = useTagField()
  const parts = useMemo(
    () => organizationParts(t, choices, types ?? [], currencies(currency), tags),
    [t, choices, types, currency, tags],
  )
  return (
    <AcqForm<Organization>
      key={id}
      title={id ? t('acq.editOf', { name: record.name }) : t('acq.newOrganization')}
      path={
        <Link to="/organizations" search={{}}>
          {t('shell.organizations')}
        </Link>
      }
      record={record}
      parts={parts}
      stored={id ? { path: `${PATH}/${id}` } : undefined}
      save={async (next) => {
        await keepTags(next)
        if (id) await put(`${PATH}/${id}`, next)
        const at = id ?? (await post<Organization>(PATH, next)).id
        return { to: `/organizations/${at}` }
      }}
    />
  )
}
