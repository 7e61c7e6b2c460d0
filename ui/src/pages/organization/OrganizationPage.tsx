// An organization: what it is, how it is reached, its people, interfaces, accounts and banks.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { recordQuery, typesQuery } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import type { Organization } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { queryClient, useLoaded } from '#/api/query'
import { HistoryButton } from '#/history/HistoryButton'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Description } from '#/ui/Description'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { Accounts } from './Accounts'
import { BankAccounts } from './BankAccounts'
import { Contacts } from './Contacts'
import { Interfaces } from './Interfaces'
import { Reached } from './Reached'

const organizationQuery = (id: string) =>
  recordQuery<Organization>('/organizations/organizations', id)

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(organizationQuery(id)),
  ])
}

export function OrganizationPage() {
  const t = useText()
  const word = useWord()
  const navigate = useNavigate()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const organization = useLoaded(organizationQuery(id))
  const { data: types } = useQuery({
    ...typesQuery,
    enabled: Boolean(organization.organizationTypes?.length),
  })
  const { reason } = useNeeds('organizations.organizations.item.put')
  const edit = () => void navigate({ to: '/organizations/$id/edit', params: { id } })
  useCommands([
    {
      id: 'acq.edit',
      title: 'acq.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: reason,
      run: edit,
    },
  ])
  return (
    <>
      <RecordHead
        title={organization.name}
        path={
          <>
            <Link to="/organizations" search={{}}>
              {t('shell.organizations')}
            </Link>{' '}
            / <bdi>{organization.code}</bdi>
          </>
        }
        sub={<StateOf value={organization.status} />}
      >
        <Button
          icon="shopping-cart"
          onPress={() => void navigate({ to: '/orders', search: { of: [id] } })}
        >
          {t('shell.orders')}
        </Button>
        <Button
          icon="receipt-text"
          onPress={() => void navigate({ to: '/invoices', search: { of: [id] } })}
        >
          {t('shell.invoices')}
        </Button>
        <Button kind="primary" icon="pencil" keys="Alt+E" disabled={reason} onPress={edit}>
          {t('acq.edit')}
        </Button>
        <HistoryButton kind="organization" id={id} name={organization.name} word={word} />
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          <Section title={t('acq.summary')}>
            <Description
              lines={[
                [t('acq.codeOf'), organization.code],
                [t('acq.vendor'), organization.isVendor ? t('acq.yes') : undefined],
                [
                  t('acq.organizationTypes'),
                  organization.organizationTypes
                    ?.map((one) => types?.find((type) => type.id === one)?.name ?? one)
                    .join(', '),
                ],
                [t('acq.description'), organization.description],
                [t('acq.tags'), organization.tags?.tagList?.join(', ')],
                [t('acq.aliases'), organization.aliases?.map(({ value }) => value).join(', ')],
                [t('acq.erpCode'), organization.erpCode],
                [t('acq.taxId'), organization.taxId],
                [t('acq.paymentMethod'), word(organization.paymentMethod)],
                [t('acq.currencies'), organization.vendorCurrencies?.join(', ')],
                [
                  t('acq.claimingInterval'),
                  organization.claimingInterval === undefined
                    ? undefined
                    : t('acq.days', { count: organization.claimingInterval }),
                ],
              ]}
            />
          </Section>
          <Reached organization={organization} />
          <Contacts organization={organization} kind="contacts" />
          <Contacts organization={organization} kind="privilegedContacts" />
          <Interfaces organization={organization} />
          <Accounts accounts={organization.accounts ?? []} />
          <BankAccounts organization={organization} />
        </div>
      </div>
    </>
  )
}
