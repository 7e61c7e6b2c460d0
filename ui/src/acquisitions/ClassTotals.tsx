// What the expense classes of a budget or group have come to; every figure is the server's.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { useMoney } from './money'
import { quiet } from './quiet'
import { useWord } from './words'

export interface ClassTotal {
  id: string
  expenseClassName: string
  expenseClassStatus?: string
  encumbered?: number
  awaitingPayment?: number
  expended?: number
  percentageExpended?: number
}

interface Props {
  totals: readonly ClassTotal[]
  currency?: string
}

export function ClassTotals({ totals, currency }: Props) {
  const t = useText()
  const word = useWord()
  const money = useMoney()
  const { number } = useFormats()
  if (!totals.length) return null
  const sum = (
    id: 'encumbered' | 'awaitingPayment' | 'expended',
    title: string,
  ): Column<ClassTotal> => ({
    id,
    title,
    width: 9,
    kind: 'num',
    named: true,
    cell: (one) => quiet(one[id], money(one[id] ?? 0, currency)),
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
    sum('expended', t('acq.expended')),
    {
      id: 'share',
      title: t('acq.share'),
      width: 6,
      kind: 'num',
      named: true,
      wide: true,
      cell: ({ percentageExpended: value }) =>
        typeof value === 'number' ? quiet(value, t('acq.percent', { value: number(value) })) : null,
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
