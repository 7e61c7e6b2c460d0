// The loans of the user: open or closed, one or many at once. What was refused stands in the row and in a card
// above the list, with the override where FOLIO allows one.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { loanPoliciesQuery, loansQuery, waitingQuery } from '#/patrons/loans/queries'
import type { PatronLoan } from '#/patrons/loans/types'
import type { Patron } from '#/patrons/types'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { Segmented } from '#/ui/Segmented'
import { rowsOf, type Sort, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import { Anonymize } from './Anonymize'
import { LoanBar } from './LoanBar'
import { LoansCsv } from './LoansCsv'
import { LoanTask, type Task } from './LoanTask'
import { loanColumns } from './loanColumns'
import styles from './record.module.css'
import { useRenewals } from './useRenewals'

const SORTS = { open: 'dueDate', closed: 'loanDate/sort.descending' } as const

export function Loans({ user }: { user: Patron }) {
  const t = useText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const search = useSearch({ from: '/shell/users/$userId' })
  const state = search.loans ?? 'open'
  const sort = search.sort ?? SORTS[state]
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    loansQuery(user.id, state, sort),
  )
  const loans = useMemo(() => data?.pages.flatMap((page) => page.loans) ?? [], [data])
  const total = data?.pages[0]?.totalRecords ?? 0
  const { data: policies } = useQuery(loanPoliciesQuery)
  const { data: waiting } = useQuery(waitingQuery(loans.map((one) => one.itemId)))
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [task, setTask] = useState<Task>()
  const renewals = useRenewals(user)
  const chosen = loans.filter((one) => keys.has(one.id))
  const changed = () => client.invalidateQueries({ queryKey: ['patrons', user.id] })
  const renew = async (some: readonly PatronLoan[]) => {
    setTask(undefined)
    const refused = await renewals.renew(some)
    await changed()
    if (refused.length) setTask({ kind: 'refused', loans: refused })
  }
  const start = (kind: Task['kind'], some: readonly PatronLoan[]) => setTask({ kind, loans: some })
  useCommands([
    {
      id: 'loans.renew',
      title: 'loans.renew',
      group: 'page',
      keys: 'r',
      disabled: chosen.length ? undefined : t('loans.chooseFirst'),
      run: () => void renew(chosen),
    },
    {
      id: 'loans.clear',
      title: 'list.clear',
      group: 'page',
      keys: 'Esc',
      run: () => setKeys(new Set()),
    },
  ])
  const columns = loanColumns({
    t,
    formats: renewals.formats,
    state,
    policies,
    waiting,
    results: renewals.results,
    onTask: (kind, loan) => (kind === 'renew' ? void renew([loan]) : start(kind, [loan])),
    onOpen: (loan) => open(loan),
  })
  const open = (loan: PatronLoan) =>
    navigate({
      to: '/users/$userId/loans/$loanId',
      params: { userId: user.id, loanId: loan.id },
    })
  const sortNow: Sort = { by: sort.split('/')[0] ?? '', descending: sort.includes('descending') }
  return (
    <section className="stack" aria-label={t('loans.title')}>
      {chosen.length ? (
        <LoanBar
          chosen={chosen}
          total={total}
          busy={renewals.busy}
          onRenew={() => void renew(chosen)}
          onTask={(kind) => start(kind, chosen)}
          onClear={() => setKeys(new Set())}
        />
      ) : (
        <div className={styles.bar}>
          <h2>{t('loans.title')}</h2>
          <Segmented
            label={t('loans.title')}
            value={state}
            onChange={(value) =>
              void navigate({
                to: '/users/$userId',
                params: { userId: user.id },
                search: { ...search, loans: value === 'open' ? undefined : value, sort: undefined },
                replace: true,
              })
            }
            choices={[
              { value: 'open', text: t('loans.open') },
              { value: 'closed', text: t('loans.closed') },
            ]}
          />
          <span className="row wrap push">
            {state === 'closed' && total ? (
              <Anonymize user={user} onDone={() => void changed()} />
            ) : null}
            {total ? <LoansCsv user={user} state={state} sort={sort} /> : null}
          </span>
        </div>
      )}
      {task ? (
        <LoanTask
          key={task.kind + task.loans.map((one) => one.id).join()}
          task={task}
          user={user}
          results={renewals.results}
          onOverride={async (some, override) => {
            const refused = await renewals.renew(some, override)
            await changed()
            setTask(refused.length ? { kind: 'refused', loans: refused } : undefined)
          }}
          onDone={async () => {
            setTask(undefined)
            setKeys(new Set())
            await changed()
          }}
          onClose={() => setTask(undefined)}
        />
      ) : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data && total === 0 ? (
        <Empty
          icon="book-up"
          title={state === 'open' ? t('loans.none') : t('loans.noneClosed')}
          text={state === 'open' ? t('loans.noneWhat') : undefined}
        />
      ) : null}
      {loans.length ? (
        <div className={table.scroll}>
          <Table
            label={t('loans.title')}
            columns={columns}
            rows={rowsOf(loans)}
            keyOf={(loan) => loan.id}
            nameOf={(loan) => loan.item?.title ?? loan.item?.barcode ?? ''}
            sort={sortNow}
            onSort={({ by, descending }) =>
              void navigate({
                to: '/users/$userId',
                params: { userId: user.id },
                search: { ...search, sort: descending ? `${by}/sort.descending` : by },
                replace: true,
              })
            }
            selection={state === 'open' ? { keys, onChange: setKeys } : undefined}
            onOpen={(loan) => void open(loan)}
          />
        </div>
      ) : null}
      {hasNextPage ? (
        <div className="row">
          <Button small busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t('loans.next')}
          </Button>
          <span className="sm muted">
            {t('list.rows', {
              first: renewals.formats.number(1),
              last: renewals.formats.number(loans.length),
              total: renewals.formats.number(total),
            })}
          </span>
        </div>
      ) : null}
    </section>
  )
}
