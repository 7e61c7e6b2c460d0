// The budgets as a rollover makes them, or would.
import { useNavigate } from '@tanstack/react-router'
import { useMoney } from '#/acquisitions/money'
import { quiet } from '#/acquisitions/quiet'
import type { RolloverBudget } from '#/acquisitions/rollovers'
import { StateOf } from '#/acquisitions/StateOf'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'

const SUMS = ['allocated', 'netTransfers', 'totalFunding', 'encumbered', 'available'] as const

interface Props {
  budgets: readonly RolloverBudget[]
  currency?: string
}

export function TargetBudgets({ budgets, currency }: Props) {
  const t = useText()
  const money = useMoney()
  const { number } = useFormats()
  const navigate = useNavigate()
  const rows = budgets.toSorted((a, b) =>
    a.name.localeCompare(b.name, undefined, { numeric: true }),
  )
  const columns: Column<RolloverBudget>[] = [
    { id: 'name', title: t('acq.name'), kind: 'main', cell: (one) => <bdi>{one.name}</bdi> },
    {
      id: 'type',
      title: t('acq.fundType'),
      width: 8,
      soft: true,
      wide: true,
      cell: ({ fundDetails }) => <bdi>{fundDetails?.fundTypeName}</bdi>,
    },
    {
      id: 'status',
      title: t('acq.status'),
      width: 7,
      cell: (one) => <StateOf value={one.budgetStatus} />,
    },
    ...SUMS.map((sum) => ({
      id: sum,
      title: t(`acq.sum.${sum}`),
      width: 8,
      kind: 'num' as const,
      named: true,
      wide: sum === 'netTransfers' || sum === 'totalFunding',
      cell: (one: RolloverBudget) => {
        const text = money(one[sum] ?? 0, currency)
        return sum === 'available' ? text : quiet(one[sum], text)
      },
    })),
  ]
  return (
    <Section title={t('acq.list.budgets')} count={number(rows.length)}>
      {rows.length ? (
        <Table
          label={t('acq.list.budgets')}
          columns={columns}
          rows={rowsOf(rows)}
          keyOf={(one) => one.id}
          nameOf={(one) => one.name}
          onOpen={(one) => void navigate({ to: '/finance/funds/$id', params: { id: one.fundId } })}
        />
      ) : (
        <p className="sm muted">{t('acq.noBudgets')}</p>
      )}
    </Section>
  )
}
