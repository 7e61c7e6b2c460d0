// What the expense classes of a budget have come to.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMoney } from '#/acquisitions/money'
import type { Budget } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { get } from '#/api/client'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'

interface ClassTotal {
  id: string
  expenseClassName: string
  expenseClassStatus?: string
  encumbered?: number
  awaitingPayment?: number
  expended?: number
  percentageExpended?: number
}

const totalsQuery = (id: string) =>
  queryOptions({
    queryKey: ['acq', 'classes', id],
    queryFn: ({ signal }) =>
      get<{ budgetExpenseClassTotals: ClassTotal[] }>(
        `/finance/budgets/${id}/expense-classes-totals`,
        undefined,
        signal,
      ),
  })

export function Classes({ budget, currency }: { budget: Budget; currency?: string }) {
  const t = useText()
  const word = useWord()
  const money = useMoney()
  const { number } = useFormats()
  const { data } = useQuery(totalsQuery(budget.id))
  const totals = data?.budgetExpenseClassTotals ?? []
  if (!totals.length) return null
  const sum = (id: 'encumbered' | 'awaitingPayment', title: string): Column<ClassTotal> => ({
    id,
    title,
    width: 9,
    kind: 'num',
    named: true,
    cell: (one) => money(one[id] ?? 0, currency),
  })
  const columns: Column<ClassTotal>[] = [
    {
      id: 'name',
      title: t('acq.expenseClass'),
      kind: 'main',
      cell: (one) => <bdi>{one.expenseClassName}</bdi>,
    },
    { id: 'status', title: t('acq.status'), width: 8, cell: (one) => word(one.expenseClassStatus) },
    sum('encumbered', t('acq.sum.encumbered')),
    sum('awaitingPayment', t('acq.sum.awaitingPayment')),
    {
      id: 'expended',
      title: t('acq.expended'),
      width: 9,
      kind: 'num',
      named: true,
      cell: (one) => money(one.expended ?? 0, currency),
    },
  ]
  return (
    <Section title={t('acq.expenseClasses')} count={number(totals.length)}>
      <Table
        label={t('acq.expenseClasses')}
        columns={columns}
        rows={rowsOf(totals)}
        keyOf={(one) => one.id}
        nameOf={(one) => one.expenseClassName}
      />
    </Section>
  )
}
