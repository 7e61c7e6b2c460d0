// A fund with its budgets, the newest first, its groups and the expense classes of its current budget.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMoney } from '#/acquisitions/money'
import {
  equals,
  fundTypesQuery,
  groupsQuery,
  ledgersQuery,
  ofQuery,
  recordQuery,
} from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import type { Budget, Fund } from '#/acquisitions/types'
import { useYears } from '#/acquisitions/useYears'
import { get } from '#/api/client'
import { useNames } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import type { Id } from '#/api/types'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Description } from '#/ui/Description'
import { Failed } from '#/ui/Failed'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

const fundQuery = (id: string) =>
  recordQuery<Id & { fund: Fund; groupIds?: string[] }>('/finance/funds', id)
const budgetsQuery = (id: string) =>
  ofQuery<Budget>('/finance/budgets', 'budgets', equals('fundId', id))

/** Those of the current budget; a fund without one has none. */
const classesOf = (id: string) =>
  queryOptions({
    queryKey: ['acq', 'fund-classes', id],
    queryFn: ({ signal }) =>
      get<{ expenseClasses: (Id & { name: string })[] }>(
        `/finance/funds/${id}/expense-classes`,
        { status: 'Current' },
        signal,
      ).then((answer) => answer.expenseClasses),
    retry: false,
  })

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(fundQuery(id)),
  ])
}

export function FundPage() {
  const t = useText()
  const money = useMoney()
  const { number, list } = useFormats()
  const navigate = useNavigate()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { fund, groupIds = [] } = useLoaded(fundQuery(id))
  const { data: budgets, error, refetch } = useQuery(budgetsQuery(id))
  const { data: ledgers } = useQuery(ledgersQuery)
  const { data: types } = useQuery({ ...fundTypesQuery, enabled: Boolean(fund.fundTypeId) })
  const ofGroups = useNeeds('finance.groups.collection.get')
  const ofClasses = useNeeds('finance.funds.expense-classes.collection.get')
  const { data: groups } = useQuery({
    ...groupsQuery,
    enabled: groupIds.length > 0 && ofGroups.allowed,
  })
  const { data: classes } = useQuery({
    ...classesOf(id),
    // Without a budget there are none, and the server answers 404.
    enabled: Boolean(budgets?.length) && ofClasses.allowed,
  })
  const { years } = useYears()
  const names = useNames('locations')
  const mayEdit = useNeeds('finance.funds.item.put')
  const mayAdd = useNeeds('finance.budgets.item.post')
  const edit = () => void navigate({ to: '/finance/$kind/$id/edit', params: { kind: 'funds', id } })
  const add = () =>
    void navigate({
      to: '/finance/$kind/$id/edit',
      params: { kind: 'budgets', id: 'new' },
      search: { of: [id] },
    })
  useCommands([
    {
      id: 'acq.edit',
      title: 'acq.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: mayEdit.reason,
      run: edit,
    },
    {
      id: 'acq.newBudget',
      title: 'acq.new.budgets',
      group: 'page',
      keys: 'Alt+N',
      disabled: mayAdd.reason,
      run: add,
    },
  ])
  const start = (one: Budget) => years.find((year) => year.id === one.fiscalYearId)?.periodStart
  const rows = (budgets ?? []).toSorted((a, b) => (start(b) ?? '').localeCompare(start(a) ?? ''))
  const columns: Column<Budget>[] = [
    {
      id: 'name',
      title: t('acq.name'),
      kind: 'main',
      cell: (one) => (
        <Link
          className={table.title}
          to="/finance/budgets/$id"
          params={{ id: one.id }}
          tabIndex={-1}
        >
          <bdi>{one.name}</bdi>
        </Link>
      ),
    },
    {
      id: 'status',
      title: t('acq.status'),
      width: 8,
      cell: (one) => <StateOf value={one.budgetStatus} />,
    },
    ...(['totalFunding', 'available'] as const).map((sum) => ({
      id: sum,
      title: t(`acq.sum.${sum}`),
      width: 9,
      kind: 'num' as const,
      named: true,
      cell: (one: Budget) => money(one[sum] ?? 0),
    })),
  ]
  const ledger = ledgers?.find((one) => one.id === fund.ledgerId)
  return (
    <>
      <RecordHead
        title={fund.name}
        path={
          <>
            <Link to="/finance" search={{ view: 'funds' }}>
              {t('acq.list.funds')}
            </Link>{' '}
            / <bdi>{fund.code}</bdi>
          </>
        }
        sub={<StateOf value={fund.fundStatus} />}
      >
        <Button icon="pencil" keys="Alt+E" disabled={mayEdit.reason} onPress={edit}>
          {t('acq.edit')}
        </Button>
        <Button kind="primary" icon="plus" keys="Alt+N" disabled={mayAdd.reason} onPress={add}>
          {t('acq.new.budgets')}
        </Button>
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          <Section title={t('acq.list.budgets')} count={budgets && number(budgets.length)}>
            {error ? <Failed error={error} retry={() => void refetch()} /> : null}
            {budgets?.length === 0 ? <p className="sm muted">{t('acq.noBudgets')}</p> : null}
            {rows.length ? (
              <Table
                label={t('acq.list.budgets')}
                columns={columns}
                rows={rowsOf(rows)}
                keyOf={(one) => one.id}
                nameOf={(one) => one.name}
                onOpen={(one) =>
                  void navigate({ to: '/finance/budgets/$id', params: { id: one.id } })
                }
              />
            ) : null}
          </Section>
          <Section title={t('acq.summary')}>
            <Description
              lines={[
                [
                  t('acq.ledger'),
                  ledger ? (
                    <Link key="ledger" to="/finance/ledgers/$id" params={{ id: ledger.id }}>
                      <bdi>{ledger.name}</bdi>
                    </Link>
                  ) : undefined,
                ],
                [t('acq.fundType'), types?.find((one) => one.id === fund.fundTypeId)?.name],
                [
                  t('acq.list.groups'),
                  groupIds.length
                    ? groupIds.map((one) => (
                        <Link
                          key={one}
                          className="line"
                          to="/finance/$kind/$id"
                          params={{ kind: 'groups', id: one }}
                        >
                          <bdi>{groups?.find((group) => group.id === one)?.name ?? one}</bdi>
                        </Link>
                      ))
                    : undefined,
                ],
                [
                  t('acq.expenseClasses'),
                  classes?.length ? list(classes.map(({ name }) => name)) : undefined,
                ],
                [t('acq.externalAccount'), fund.externalAccountNo],
                [
                  t('acq.locations'),
                  list(
                    (fund.locations ?? []).map(
                      ({ locationId }) => names('locations', locationId) ?? locationId,
                    ),
                  ),
                ],
                [t('fin.restrictByLocations'), fund.restrictByLocations ? t('acq.yes') : undefined],
                [t('acq.tags'), list(fund.tags?.tagList ?? [])],
                [t('acq.description'), fund.description],
              ]}
            />
          </Section>
        </div>
      </div>
    </>
  )
}
