// What each external account pays, with the funds behind it.
import { useMoney } from '#/acquisitions/money'
import type { VoucherLine } from '#/acquisitions/types'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { type Column, rowsOf, Table } from '#/ui/Table'

interface Props {
  lines: readonly VoucherLine[]
  currency: string
}

export function VoucherLines({ lines, currency }: Props) {
  const t = useText()
  const money = useMoney()
  const { number } = useFormats()
  const columns: Column<VoucherLine>[] = [
    {
      id: 'account',
      title: t('acq.externalAccount'),
      kind: 'main',
      cell: (one) => <bdi>{one.externalAccountNumber}</bdi>,
    },
    {
      id: 'funds',
      title: t('acq.funds'),
      width: 14,
      soft: true,
      wide: true,
      cell: ({ fundDistributions = [] }) => (
        <bdi>{[...new Set(fundDistributions.map((one) => one.code ?? ''))].join(', ')}</bdi>
      ),
    },
    {
      id: 'lines',
      title: t('acq.invoiceLines'),
      width: 7,
      kind: 'num',
      named: true,
      wide: true,
      cell: ({ sourceIds }) => number(sourceIds.length),
    },
    {
      id: 'amount',
      title: t('acq.amount'),
      width: 10,
      kind: 'num',
      named: true,
      cell: (one) => money(one.amount, currency),
    },
  ]
  return (
    <Table
      label={t('acq.voucherLines')}
      columns={columns}
      rows={rowsOf(lines)}
      keyOf={(one) => one.id}
      nameOf={(one) => one.externalAccountNumber}
    />
  )
}
