// The transactions of a budget, the newest first, by type.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { RecordList } from '#/acquisitions/list/RecordList'
import type { ListSearch } from '#/acquisitions/list/search'
import type { ListKind } from '#/acquisitions/list/source'
import { useMoney } from '#/acquisitions/money'
import { classesQuery } from '#/acquisitions/queries'
import type { Budget, Fund, Transaction } from '#/acquisitions/types'
import { TRANSACTION, useChoices, useWord } from '#/acquisitions/words'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import type { Column } from '#/ui/Table'
import { transactionsOf } from './transactions'

export function Transactions({ budget, funds }: { budget: Budget; funds: readonly Fund[] }) {
  const t = useText()
  const word = useWord()
  const money = useMoney()
  const choices = useChoices()
  const formats = useFormats()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as ListSearch
  const { data: classes } = useQuery(classesQuery)
  const base = transactionsOf(budget)
  const kind = useMemo(
    (): ListKind => ({
      path: '/finance/transactions',
      rows: 'transactions',
      base,
      sorts: { date: 'metadata.createdDate', amount: 'amount', type: 'transactionType' },
      sort: '-date',
      facets: { kind: 'transactionType' },
    }),
    [base],
  )
  const columns = useMemo((): Column<Transaction>[] => {
    const code = (id: string | undefined) => funds.find((one) => one.id === id)?.code ?? id
    return [
      {
        id: 'type',
        title: t('acq.transactionType'),
        kind: 'main',
        sort: 'type',
        cell: (one) => (
          <>
            <span>{word(one.transactionType)}</span>{' '}
            {one.encumbrance?.status ? (
              <span className="sm soft">{word(one.encumbrance.status)}</span>
            ) : null}
          </>
        ),
      },
      {
        id: 'amount',
        title: t('acq.amount'),
        width: 9,
        kind: 'num',
        named: true,
        sort: 'amount',
        cell: (one) => money(one.amount, one.currency),
      },
      {
        id: 'from',
        title: t('acq.from'),
        width: 8,
        cell: (one) => <bdi>{code(one.fromFundId)}</bdi>,
      },
      { id: 'to', title: t('acq.to'), width: 8, cell: (one) => <bdi>{code(one.toFundId)}</bdi> },
      {
        id: 'source',
        title: t('acq.source'),
        width: 9,
        cell: (one) => <Source transaction={one} />,
      },
      {
        id: 'class',
        title: t('acq.expenseClass'),
        width: 9,
        soft: true,
        wide: true,
        cell: (one) => <bdi>{classes?.find(({ id }) => id === one.expenseClassId)?.name}</bdi>,
      },
      {
        id: 'date',
        title: t('acq.date'),
        width: 10,
        sort: 'date',
        cell: ({ metadata }) => (metadata?.createdDate ? formats.day(metadata.createdDate) : null),
      },
    ]
  }, [t, word, money, formats, funds, classes])
  return (
    <RecordList<Transaction>
      kind={kind}
      search={search}
      label={t('acq.transactions')}
      icon="coins"
      none={t('acq.none')}
      facets={[{ id: 'kind', title: t('acq.transactionType'), values: choices(TRANSACTION) }]}
      columns={() => columns}
      nameOf={(one) => word(one.transactionType)}
      onChange={(patch) =>
        void navigate({
          to: '/finance/budgets/$id',
          params: { id: budget.id },
          search: { ...search, ...patch },
          replace: true,
        })
      }
      onOpen={({ sourceInvoiceId, encumbrance }) => {
        if (sourceInvoiceId) void navigate({ to: '/invoices/$id', params: { id: sourceInvoiceId } })
        else if (encumbrance?.sourcePurchaseOrderId)
          void navigate({ to: '/orders/$id', params: { id: encumbrance.sourcePurchaseOrderId } })
      }}
    />
  )
}

/** Where a transaction comes from: an invoice, an order, a person. */
function Source({ transaction }: { transaction: Transaction }) {
  const t = useText()
  const { sourceInvoiceId, encumbrance } = transaction
  if (sourceInvoiceId)
    return (
      <Link to="/invoices/$id" params={{ id: sourceInvoiceId }} tabIndex={-1}>
        {t('acq.invoice')}
      </Link>
    )
  if (encumbrance?.sourcePurchaseOrderId)
    return (
      <Link to="/orders/$id" params={{ id: encumbrance.sourcePurchaseOrderId }} tabIndex={-1}>
        {t('acq.order')}
      </Link>
    )
  return transaction.description ? <bdi>{transaction.description}</bdi> : t('acq.byHand')
}
