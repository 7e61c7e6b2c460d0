// What is added to an invoice as a whole: postage, tax, discounts.
import { useMoney } from '#/acquisitions/money'
import type { Adjustment } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'

interface Props {
  adjustments: readonly Adjustment[]
  currency: string
}

export function Adjustments({ adjustments, currency }: Props) {
  const t = useText()
  const word = useWord()
  const money = useMoney()
  const { number } = useFormats()
  if (!adjustments.length) return null
  const columns: Column<Adjustment>[] = [
    {
      id: 'description',
      title: t('acq.description'),
      kind: 'main',
      cell: (one) => <bdi>{one.description}</bdi>,
    },
    { id: 'prorate', title: t('acq.prorate'), width: 10, cell: (one) => word(one.prorate) },
    {
      id: 'relation',
      title: t('acq.relation'),
      width: 10,
      cell: (one) => word(one.relationToTotal),
    },
    {
      id: 'value',
      title: t('acq.amount'),
      width: 8,
      kind: 'num',
      named: true,
      cell: ({ value = 0, type }) =>
        type === 'Percentage' ? t('acq.percent', { value: number(value) }) : money(value, currency),
    },
  ]
  return (
    <Section title={t('acq.adjustments')} count={number(adjustments.length)}>
      <Table
        label={t('acq.adjustments')}
        columns={columns}
        rows={rowsOf(adjustments)}
        keyOf={(one) => one.id ?? one.description ?? ''}
        nameOf={(one) => one.description ?? ''}
      />
    </Section>
  )
}
