// A budget: its arithmetic, its year as a picture, its transactions; allocation and transfer.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import styles from '#/acquisitions/acquisitions.module.css'
import type { ListSearch } from '#/acquisitions/list/search'
import { fundsQuery, recordQuery, yearsQuery } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import { SumsFigures } from '#/acquisitions/SumsFigures'
import { SumsTable } from '#/acquisitions/SumsTable'
import type { Budget } from '#/acquisitions/types'
import { usePeriod } from '#/acquisitions/usePeriod'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Description } from '#/ui/Description'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { Tabs } from '#/ui/Tabs'
import { Classes } from './Classes'
import { MoveCard } from './MoveCard'
import { Transactions } from './Transactions'
import { YearPicture } from './YearPicture'

const budgetQuery = (id: string) => recordQuery<Budget>('/finance/budgets', id)

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(budgetQuery(id)),
    queryClient.ensureQueryData(yearsQuery),
  ])
}

export function BudgetPage() {
  const t = useText()
  const { number } = useFormats()
  const period = usePeriod()
  const navigate = useNavigate()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const search = useSearch({ strict: false }) as ListSearch
  const view = search.view === 'transactions' ? 'transactions' : 'money'
  const budget = useLoaded(budgetQuery(id))
  const years = useLoaded(yearsQuery)
  const { data: funds } = useQuery(fundsQuery)
  const [moving, setMoving] = useState(false)
  const mayEdit = useNeeds('finance.budgets.item.put')
  const mayAllocate = useNeeds('finance.allocations.item.post')
  const year = years.find((one) => one.id === budget.fiscalYearId)
  const fund = funds?.find((one) => one.id === budget.fundId)
  const edit = () =>
    void navigate({ to: '/finance/$kind/$id/edit', params: { kind: 'budgets', id } })
  const move = () => setMoving(true)
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
      id: 'acq.move',
      title: 'acq.moveMoney',
      group: 'page',
      keys: 'Alt+A',
      disabled: mayAllocate.reason,
      run: move,
    },
  ])
  const percent = (value: number | undefined) =>
    value === undefined ? undefined : t('acq.percent', { value: number(value) })
  return (
    <>
      <RecordHead
        title={budget.name}
        path={
          <>
            <Link to="/finance" search={{}}>
              {t('acq.list.budgets')}
            </Link>{' '}
            /{' '}
            <Link to="/finance/funds/$id" params={{ id: budget.fundId }}>
              <bdi>{fund?.name ?? t('acq.fund')}</bdi>
            </Link>
          </>
        }
        sub={<StateOf value={budget.budgetStatus} />}
      >
        <Button icon="pencil" keys="Alt+E" disabled={mayEdit.reason} onPress={edit}>
          {t('acq.edit')}
        </Button>
        <Button
          kind="primary"
          icon="arrow-left-right"
          keys="Alt+A"
          disabled={mayAllocate.reason}
          onPress={move}
        >
          {t('acq.moveMoney')}
        </Button>
      </RecordHead>
      <Tabs
        label={t('acq.parts')}
        current={view}
        linkOf={(tab) => ({
          to: '/finance/budgets/$id',
          params: { id },
          search: { view: tab === 'money' ? undefined : tab } as never,
        })}
        tabs={[
          { id: 'money', title: t('acq.money') },
          { id: 'transactions', title: t('acq.transactions') },
        ]}
      />
      {moving ? (
        <div className={`${page.body} ${page.first}`}>
          <MoveCard
            budget={budget}
            currency={year?.currency}
            onDone={() => setMoving(false)}
            onClose={() => setMoving(false)}
          />
        </div>
      ) : null}
      {view === 'transactions' ? (
        <Transactions budget={budget} funds={funds ?? []} />
      ) : (
        <div className={page.pane}>
          <div className={`${page.body} ${page.first} stack far`}>
            <SumsFigures sums={budget} currency={year?.currency} />
            <div className={styles.two}>
              <SumsTable sums={budget} currency={year?.currency} />
              {year ? <YearPicture budget={budget} year={year} /> : null}
            </div>
            <Classes budget={budget} currency={year?.currency} />
            <Section title={t('acq.summary')}>
              <Description
                lines={[
                  [t('acq.fiscalYear'), year?.name],
                  [t('acq.period'), year && period(year.periodStart, year.periodEnd)],
                  [t('acq.allowableEncumbrance'), percent(budget.allowableEncumbrance)],
                  [t('acq.allowableExpenditure'), percent(budget.allowableExpenditure)],
                ]}
              />
            </Section>
          </div>
        </div>
      )}
    </>
  )
}
