// Money of the library: budgets of a fiscal year, funds, groups, ledgers, fiscal years.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { RecordList } from '#/acquisitions/list/RecordList'
import type { ListSearch } from '#/acquisitions/list/search'
import { sourceOf } from '#/acquisitions/list/source'
import type { FacetOf } from '#/acquisitions/list/useListFacets'
import { ledgersQuery } from '#/acquisitions/queries'
import { useYears } from '#/acquisitions/useYears'
import { BUDGET, FUND, useChoices } from '#/acquisitions/words'
import { queryClient } from '#/api/query'
import type { Id } from '#/api/types'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Head } from '#/ui/Page'
import type { Column } from '#/ui/Table'
import { Tabs } from '#/ui/Tabs'
import { firstWindow } from '#/ui/useWindows'
import { KINDS, VIEWS, type View, viewOf } from './kinds'
import { useFinanceColumns } from './useFinanceColumns'

type Row = Id & { name: string }

const POST: Record<View, string> = {
  budgets: 'finance.budgets.item.post',
  funds: 'finance.funds.item.post',
  groups: 'finance.groups.item.post',
  ledgers: 'finance.ledgers.item.post',
  years: 'finance.fiscal-years.item.post',
}

export async function loader(search: ListSearch) {
  await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(firstWindow(sourceOf<Row>(KINDS[viewOf(search.view)], search))),
  ])
}

export function FinancePage() {
  const t = useText()
  const choices = useChoices()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as ListSearch
  const view = viewOf(search.view)
  const { years } = useYears()
  const { data: ledgers } = useQuery(ledgersQuery)
  const { reason } = useNeeds(POST[view])
  const columns = useFinanceColumns()
  const add = () =>
    void navigate({ to: '/finance/$kind/$id/edit', params: { kind: view, id: 'new' } })
  useCommands([
    {
      id: 'acq.newFinance',
      title: `acq.new.${view}`,
      group: 'page',
      keys: 'Alt+N',
      disabled: reason,
      run: add,
    },
  ])
  const named = (all: readonly { id: string; name: string }[]) =>
    all.map((one) => ({ value: one.id, text: one.name }))
  const status: FacetOf = {
    id: 'status',
    title: t('acq.status'),
    values: choices(view === 'budgets' ? BUDGET : FUND),
  }
  const facets: Record<View, FacetOf[]> = {
    budgets: [{ id: 'of', title: t('acq.fiscalYear'), values: named(years) }, status],
    funds: [status, { id: 'of', title: t('acq.ledger'), values: named(ledgers ?? []) }],
    groups: [status],
    ledgers: [status],
    years: [],
  }
  const open = ({ id }: Row) => {
    if (view === 'years')
      return void navigate({ to: '/finance/$kind/$id/edit', params: { kind: 'years', id } })
    return void navigate({ to: '/finance/$kind/$id', params: { kind: view, id } })
  }
  return (
    <RecordList<Row>
      key={view}
      kind={KINDS[view]}
      search={search}
      label={t(`acq.list.${view}`)}
      words={t('acq.nameOrCode')}
      icon="wallet"
      none={t('acq.none')}
      facets={facets[view]}
      columns={() => columns[view] as unknown as Column<Row>[]}
      nameOf={(one) => one.name}
      onChange={(patch) =>
        void navigate({ to: '/finance', search: { ...search, ...patch }, replace: true })
      }
      onOpen={open}
    >
      <Head title={t('shell.finance')}>
        <Button kind="primary" icon="plus" keys="Alt+N" disabled={reason} onPress={add}>
          {t(`acq.new.${view}`)}
        </Button>
      </Head>
      <Tabs
        label={t('acq.lists')}
        current={view}
        linkOf={(id) => ({
          to: '/finance',
          search: { view: id === 'budgets' ? undefined : id } as never,
        })}
        tabs={VIEWS.map((id) => ({ id, title: t(`acq.list.${id}`) }))}
      />
    </RecordList>
  )
}
