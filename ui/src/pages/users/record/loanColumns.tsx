// The columns of a patron's loans.
import type { Text } from '#/i18n/text'
import type { Formats } from '#/lib/format'
import { LoanState as State } from '#/patrons/loans/LoanState'
import type { LoanPolicy, LoanState } from '#/patrons/loans/queries'
import type { PatronLoan, Result } from '#/patrons/loans/types'
import { Outcome } from '#/ui/Badge'
import { Code } from '#/ui/Code'
import { RowActs } from '#/ui/RowActs'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import type { TaskKind } from './LoanTask'

interface Context {
  t: Text
  formats: Formats
  state: LoanState
  policies: readonly LoanPolicy[] | undefined
  waiting: Readonly<Record<string, number>> | undefined
  results: Readonly<Record<string, Result>>
  onTask: (kind: TaskKind | 'renew', loan: PatronLoan) => void
  onOpen: (loan: PatronLoan) => void
}

export function loanColumns(context: Context): Column<PatronLoan>[] {
  const { t, formats, state, waiting, results, onOpen } = context
  const isOpen = state === 'open'
  const title: Column<PatronLoan> = {
    id: 'title',
    title: t('loans.titleOf'),
    kind: 'main',
    cell: (loan) => (
      <a
        className={table.title}
        href={`/staff/users/${loan.userId}/loans/${loan.id}`}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey) return
          event.preventDefault()
          onOpen(loan)
        }}
      >
        <bdi>{loan.item?.title ?? loan.item?.barcode ?? loan.itemId}</bdi>
      </a>
    ),
  }
  const barcode: Column<PatronLoan> = {
    id: 'barcode',
    title: t('loans.barcode'),
    width: 10,
    soft: true,
    cell: (loan) => (loan.item?.barcode ? <Code>{loan.item.barcode}</Code> : null),
  }
  if (!isOpen) {
    return [
      title,
      barcode,
      {
        id: 'lent',
        title: t('loans.lent'),
        width: 9,
        sort: 'loanDate',
        named: true,
        cell: (loan) => formats.day(loan.loanDate),
      },
      {
        id: 'back',
        title: t('loans.back'),
        width: 10,
        named: true,
        cell: (loan) => (loan.returnDate ? formats.dayTime(loan.returnDate) : null),
      },
    ]
  }
  return [
    title,
    barcode,
    {
      id: 'due',
      title: t('loans.due'),
      width: 8.5,
      sort: 'dueDate',
      cell: (loan) => <span className="nowrap">{formats.day(loan.dueDate)}</span>,
    },
    {
      id: 'status',
      title: t('loans.status'),
      width: 13,
      cell: (loan) => <Standing loan={loan} result={results[loan.id]} t={t} />,
    },
    {
      id: 'renewed',
      title: t('loans.renewed'),
      width: 5.5,
      kind: 'num',
      wide: true,
      cell: (loan) => renewedText(loan, context),
    },
    {
      id: 'requests',
      title: t('loans.requests'),
      width: 5.5,
      kind: 'num',
      named: true,
      cell: (loan) => {
        const count = waiting?.[loan.itemId] ?? 0
        return count ? formats.number(count) : <span className="muted">{formats.number(0)}</span>
      },
    },
    {
      id: 'fees',
      title: t('loans.fees'),
      width: 5.5,
      kind: 'num',
      cell: (loan) => {
        const owed = loan.feesAndFines?.amountRemainingToPay
        return owed ? <span className="soft">{formats.money(owed)}</span> : null
      },
    },
    {
      id: 'menu',
      title: t('loans.actions'),
      width: 3,
      kind: 'menu',
      cell: (loan) => <Menu loan={loan} {...context} />,
    },
  ]
}

function Standing({ loan, result, t }: { loan: PatronLoan; result: Result | undefined; t: Text }) {
  if (!result) return <State loan={loan} />
  if (result.kind === 'ok') {
    return (
      <Outcome kind="ok" icon="check">
        {result.text}
      </Outcome>
    )
  }
  return (
    <Outcome kind="blocked" icon="octagon-x">
      {t('loans.notRenewed')}
    </Outcome>
  )
}

function renewedText(loan: PatronLoan, { t, formats, policies }: Context): string {
  const count = formats.number(loan.renewalCount ?? 0)
  const policy = policies?.find((one) => one.id === loan.loanPolicyId)
  const allowed = policy?.renewable === false ? 0 : policy?.renewalsPolicy?.numberAllowed
  if (policy?.renewalsPolicy?.unlimited || allowed === undefined) return count
  return t('loans.renewedOf', { count, allowed: formats.number(allowed) })
}

function Menu({ loan, t, onTask, onOpen }: Context & { loan: PatronLoan }) {
  const isClaimed = loan.item?.status?.name === 'Claimed returned'
  const task = (kind: TaskKind | 'renew') => () => onTask(kind, loan)
  return (
    <RowActs
      name={loan.item?.title ?? loan.item?.barcode ?? ''}
      acts={[
        { id: 'renew', text: t('loans.renew'), icon: 'refresh-cw', run: task('renew') },
        { id: 'due', text: t('loans.changeDue'), icon: 'calendar-days', run: task('due') },
        'line',
        {
          id: 'claim',
          text: t('loans.claim'),
          icon: 'hand',
          disabled: isClaimed ? t('loans.isClaimed') : undefined,
          run: task('claim'),
        },
        { id: 'lost', text: t('loans.declareLost'), icon: 'octagon-x', run: task('lost') },
        {
          id: 'missing',
          text: t('loans.declareMissing'),
          icon: 'search',
          disabled: isClaimed ? undefined : t('loans.onlyClaimed'),
          run: task('missing'),
        },
        'line',
        { id: 'info', text: t('loans.addInfo'), icon: 'sticky-note', run: task('info') },
        { id: 'open', text: t('loans.details'), icon: 'history', run: () => onOpen(loan) },
      ]}
    />
  )
}
