// What was done with the loan, newest first: when, what, the due date then, by whom, with which comment.
import { useQuery } from '@tanstack/react-query'
import { type TextId, useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import type { History } from '#/patrons/loans/types'
import { usersByIds } from '#/patrons/queries'
import { Failed } from '#/ui/Failed'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

const ACTIONS: Record<string, TextId> = {
  checkedout: 'loans.action.checkedout',
  checkedOutThroughOverride: 'loans.action.checkedOutThroughOverride',
  checkedin: 'loans.action.checkedin',
  checkedInReturnedByPatron: 'loans.action.checkedInReturnedByPatron',
  checkedInFoundByLibrary: 'loans.action.checkedInFoundByLibrary',
  renewed: 'loans.action.renewed',
  renewedThroughOverride: 'loans.action.renewedThroughOverride',
  recallrequested: 'loans.action.recallrequested',
  holdrequested: 'loans.action.holdrequested',
  declaredLost: 'loans.action.declaredLost',
  claimedReturned: 'loans.action.claimedReturned',
  markedMissing: 'loans.action.markedMissing',
  closedLoan: 'loans.action.closedLoan',
  itemAgedToLost: 'loans.action.itemAgedToLost',
  dueDateChanged: 'loans.action.dueDateChanged',
  patronInfoAdded: 'loans.action.patronInfoAdded',
  staffInfoAdded: 'loans.action.staffInfoAdded',
  reminderFee: 'loans.action.reminderFee',
}

interface Props {
  history: readonly History[] | undefined
  error: unknown
}

export function LoanHistory({ history, error }: Props) {
  const t = useText()
  const formats = useFormats()
  const ids = [
    ...new Set((history ?? []).flatMap(({ loan }) => loan.metadata?.updatedByUserId ?? [])),
  ]
  const { data: people } = useQuery({
    queryKey: ['people', ids],
    queryFn: ({ signal }) => usersByIds(ids, signal),
    enabled: ids.length > 0,
  })
  const nameOf = (id: string | undefined) => {
    const user = id ? people?.get(id) : undefined
    return user && (fullName(user.personal ?? {}) || user.username)
  }
  const columns: Column<History>[] = [
    {
      id: 'what',
      title: t('loans.action'),
      kind: 'main',
      cell: ({ loan }) => {
        const id = ACTIONS[loan.action ?? '']
        return <span className="medium">{id ? t(id) : loan.action}</span>
      },
    },
    {
      id: 'when',
      title: t('loans.when'),
      width: 12,
      cell: (one) => <span className="nowrap">{formats.dayTime(one.createdDate)}</span>,
    },
    {
      id: 'due',
      title: t('loans.due'),
      width: 12,
      named: true,
      cell: ({ loan }) => (loan.dueDate ? formats.dayTime(loan.dueDate) : null),
    },
    {
      id: 'by',
      title: t('loans.by'),
      width: 11,
      soft: true,
      cell: ({ loan }) => <bdi>{nameOf(loan.metadata?.updatedByUserId)}</bdi>,
    },
    {
      id: 'comment',
      title: t('loans.comment'),
      width: 16,
      cell: ({ loan }) => <bdi>{loan.actionComment}</bdi>,
    },
  ]
  return (
    <section className="stack" aria-label={t('loans.history')}>
      <h2>{t('loans.history')}</h2>
      {error ? <Failed error={error} /> : null}
      {history?.length ? (
        <div className={table.scroll}>
          <Table
            label={t('loans.history')}
            columns={columns}
            rows={rowsOf(history)}
            keyOf={(one) => one.id}
            nameOf={(one) => one.loan.action ?? ''}
          />
        </div>
      ) : null}
    </section>
  )
}
