// Organizations: vendors, donors, publishers; by words, status and kind.
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { RecordList } from '#/acquisitions/list/RecordList'
import type { ListSearch } from '#/acquisitions/list/search'
import { type ListKind, sourceOf } from '#/acquisitions/list/source'
import { StateOf } from '#/acquisitions/StateOf'
import type { Organization } from '#/acquisitions/types'
import { ORGANIZATION, useChoices } from '#/acquisitions/words'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { Head } from '#/ui/Page'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import { firstWindow } from '#/ui/useWindows'

const KIND: ListKind = {
  path: '/organizations/organizations',
  rows: 'organizations',
  words: ['name', 'aliases'],
  starts: ['name', 'code', 'erpCode'],
  sorts: { name: 'name', code: 'code', status: 'status' },
  sort: 'name',
  facets: { status: 'status', kind: 'isVendor' },
}

export async function loader(search: ListSearch) {
  await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions'),
    queryClient.ensureQueryData(firstWindow(sourceOf<Organization>(KIND, search))),
  ])
}

export function OrganizationsPage() {
  const t = useText()
  const choices = useChoices()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as ListSearch
  const { reason } = useNeeds('organizations.organizations.item.post')
  const add = () => void navigate({ to: '/organizations/$id/edit', params: { id: 'new' } })
  useCommands([
    {
      id: 'acq.newOrganization',
      title: 'acq.newOrganization',
      group: 'page',
      keys: 'Alt+N',
      disabled: reason,
      run: add,
    },
  ])
  const columns = useMemo(
    (): Column<Organization>[] => [
      {
        id: 'name',
        title: t('acq.name'),
        kind: 'main',
        sort: 'name',
        cell: ({ id, name }) => (
          <Link className={table.title} to="/organizations/$id" params={{ id }} tabIndex={-1}>
            <bdi>{name}</bdi>
          </Link>
        ),
      },
      {
        id: 'code',
        title: t('acq.codeOf'),
        width: 10,
        sort: 'code',
        cell: ({ code }) => <Code plain>{code}</Code>,
      },
      {
        id: 'status',
        title: t('acq.status'),
        width: 9,
        sort: 'status',
        cell: ({ status }) => <StateOf value={status} />,
      },
      {
        id: 'vendor',
        title: t('acq.vendor'),
        width: 8,
        cell: ({ isVendor }) => (isVendor ? t('acq.isVendor') : null),
      },
      {
        id: 'description',
        title: t('acq.description'),
        width: 16,
        soft: true,
        wide: true,
        cell: ({ description }) => <bdi>{description}</bdi>,
      },
    ],
    [t],
  )
  return (
    <RecordList<Organization>
      kind={KIND}
      search={search}
      label={t('shell.organizations')}
      words={t('acq.findOrganizations')}
      icon="building-2"
      none={t('acq.noOrganizations')}
      facets={[
        { id: 'status', title: t('acq.status'), values: choices(ORGANIZATION) },
        {
          id: 'kind',
          title: t('acq.vendor'),
          values: [
            { value: 'true', text: t('acq.isVendor') },
            { value: 'false', text: t('acq.noVendor') },
          ],
        },
      ]}
      columns={() => columns}
      nameOf={(one) => one.name}
      onChange={(patch) =>
        void navigate({ to: '/organizations', search: { ...search, ...patch }, replace: true })
      }
      onOpen={({ id }) => void navigate({ to: '/organizations/$id', params: { id } })}
    >
      <Head title={t('shell.organizations')}>
        <Button kind="primary" icon="plus" keys="Alt+N" disabled={reason} onPress={add}>
          {t('acq.newOrganization')}
        </Button>
      </Head>
    </RecordList>
  )
}
