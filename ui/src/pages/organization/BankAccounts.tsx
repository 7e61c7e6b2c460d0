// The bank accounts of an organization, where the library has switched them on; only for those who may see them.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RecordCard } from '#/acquisitions/form/RecordCard'
import { accountTypesQuery, changed, equals, ofQuery } from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import type { BankAccount, Organization } from '#/acquisitions/types'
import { get, post, put, remove } from '#/api/client'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Failed } from '#/ui/Failed'
import { RowActs } from '#/ui/RowActs'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { bankFields } from './bankFields'
import { useCategories } from './useCategories'

const PATH = '/organizations/banking-information'
const STEM = 'organizations.banking-information'

const switchQuery = queryOptions({
  queryKey: ['acq', 'banking'],
  queryFn: async ({ signal }) => {
    const query = { query: equals('key', 'BANKING_INFORMATION_ENABLED'), limit: 1 }
    const { settings } = await get<{ settings: { value?: string }[] }>(
      '/organizations-storage/settings',
      query,
      signal,
    )
    return settings[0]?.value === 'true'
  },
})
const accountsQuery = (id: string) =>
  ofQuery<BankAccount>(PATH, 'bankingInformation', equals('organizationId', id))

export function BankAccounts({ organization }: { organization: Organization }) {
  const t = useText()
  const { number } = useFormats()
  const switches = useNeeds('organizations-storage.settings.collection.get')
  const { data: isOn } = useQuery({ ...switchQuery, enabled: switches.allowed })
  const read = useNeeds(`${STEM}.collection.get`)
  const add = useNeeds(`${STEM}.item.post`)
  const change = useNeeds(`${STEM}.item.put`)
  const drop = useNeeds(`${STEM}.item.delete`)
  const shown = Boolean(isOn)
  const { data, error, refetch } = useQuery({
    ...accountsQuery(organization.id),
    enabled: shown && read.allowed,
  })
  const ofTypes = useNeeds('organizations-storage.banking-account-types.collection.get')
  const { data: types = [] } = useQuery({
    ...accountTypesQuery,
    enabled: shown && ofTypes.allowed,
  })
  const categories = useCategories(shown)
  const act = useAct()
  const [edited, setEdited] = useState<BankAccount | 'new'>()
  const [deleted, setDeleted] = useState<BankAccount>()
  if (!shown) return null
  const nameOf = ({ bankName, bankAccountNumber }: BankAccount) =>
    bankName ?? bankAccountNumber ?? t('fin.bankAccount')
  const take = async () => {
    if (!deleted) return
    if (!(await act.run(() => remove(`${PATH}/${deleted.id}`)))) return
    announce(t('fin.deleted', { name: nameOf(deleted) }))
    setDeleted(undefined)
    await changed()
  }
  const columns: Column<BankAccount>[] = [
    {
      id: 'bank',
      title: t('fin.bank'),
      kind: 'main',
      cell: (one) => (
        <>
          <bdi>{nameOf(one)}</bdi>{' '}
          {one.isPrimary ? <span className="sm soft">{t('acq.main')}</span> : null}
        </>
      ),
    },
    {
      id: 'number',
      title: t('acq.accountNo'),
      width: 15,
      cell: (one) => (one.bankAccountNumber ? <Code plain>{one.bankAccountNumber}</Code> : null),
    },
    {
      id: 'type',
      title: t('fin.accountType'),
      width: 10,
      cell: (one) => <bdi>{types.find(({ id }) => id === one.accountTypeId)?.name}</bdi>,
    },
    {
      id: 'category',
      title: t('fin.category'),
      width: 10,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{categories.find(({ id }) => id === one.categoryId)?.value}</bdi>,
    },
    {
      id: 'menu',
      title: t('acq.more'),
      kind: 'menu',
      width: 3,
      cell: (one) => (
        <RowActs
          name={nameOf(one)}
          acts={[
            {
              id: 'edit',
              text: t('acq.edit'),
              icon: 'pencil',
              disabled: change.reason,
              run: () => setEdited(one),
            },
            {
              id: 'delete',
              text: t('fin.delete'),
              icon: 'trash-2',
              disabled: drop.reason,
              run: () => setDeleted(one),
            },
          ]}
        />
      ),
    },
  ]
  return (
    <Section
      title={t('fin.bankAccounts')}
      count={data && number(data.length)}
      acts={
        <Button
          small
          icon="plus"
          disabled={read.reason ?? add.reason}
          onPress={() => setEdited('new')}
        >
          {t('fin.addBankAccount')}
        </Button>
      }
    >
      {edited ? (
        <RecordCard<BankAccount>
          key={edited === 'new' ? 'new' : edited.id}
          title={
            edited === 'new' ? t('fin.addBankAccount') : t('acq.editOf', { name: nameOf(edited) })
          }
          record={edited === 'new' ? ({ organizationId: organization.id } as BankAccount) : edited}
          fields={bankFields(t, types, categories)}
          stored={edited === 'new' ? undefined : `${PATH}/${edited.id}`}
          save={(next) =>
            edited === 'new'
              ? post(PATH, { ...next, isPrimary: next.isPrimary === true })
              : put(`${PATH}/${edited.id}`, { ...next, isPrimary: next.isPrimary === true })
          }
          onClose={() => setEdited(undefined)}
        />
      ) : null}
      {deleted ? (
        <ConfirmCard
          title={t('fin.deleteAsk', { name: nameOf(deleted) })}
          act={t('fin.delete')}
          danger
          busy={act.busy}
          onAct={() => void take()}
          onClose={() => setDeleted(undefined)}
        />
      ) : null}
      <Refused failure={act.failure} />
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data?.length ? (
        <Table
          label={t('fin.bankAccounts')}
          columns={columns}
          rows={rowsOf(data)}
          keyOf={(one) => one.id}
          nameOf={nameOf}
          onOpen={(one) => {
            if (change.allowed) setEdited(one)
          }}
        />
      ) : (
        <p className="sm muted">{read.reason ?? t('fin.noBankAccounts')}</p>
      )}
    </Section>
  )
}
