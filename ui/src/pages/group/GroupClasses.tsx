// What the expense classes of a group's budgets have come to in a fiscal year.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ClassTotal, ClassTotals } from '#/acquisitions/ClassTotals'
import type { FiscalYear, Group } from '#/acquisitions/types'
import { get } from '#/api/client'

const totalsQuery = (id: string, fiscalYearId: string) =>
  queryOptions({
    queryKey: ['acq', 'group-classes', id, fiscalYearId],
    queryFn: ({ signal }) =>
      get<{ groupExpenseClassTotals: ClassTotal[] }>(
        `/finance/groups/${id}/expense-classes-totals`,
        { fiscalYearId },
        signal,
      ),
  })

export function GroupClasses({ group, year }: { group: Group; year: FiscalYear }) {
  const { data } = useQuery(totalsQuery(group.id, year.id))
  return <ClassTotals totals={data?.groupExpenseClassTotals ?? []} currency={year.currency} />
}
