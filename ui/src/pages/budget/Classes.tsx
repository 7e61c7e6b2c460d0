// What the expense classes of a budget have come to.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ClassTotal, ClassTotals } from '#/acquisitions/ClassTotals'
import type { Budget } from '#/acquisitions/types'
import { get } from '#/api/client'

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
  const { data } = useQuery(totalsQuery(budget.id))
  return <ClassTotals totals={data?.budgetExpenseClassTotals ?? []} currency={currency} />
}
