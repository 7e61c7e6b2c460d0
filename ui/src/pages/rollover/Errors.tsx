// What a rollover could not do: for which order and fund, and why.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMoney } from '#/acquisitions/money'
import { fundsQuery } from '#/acquisitions/queries'
import type { RolloverError } from '#/acquisitions/rollovers'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { CsvSave } from '#/ui/CsvSave'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { useCsv } from '#/ui/useCsv'

interface Props {
  errors: readonly RolloverError[]
  currency?: string
}

export function Errors({ errors, currency }: Props) {
  const t = useText()
  const money = useMoney()
  const { number } = useFormats()
  const navigate = useNavigate()
  const { data: funds } = useQuery({ ...fundsQuery, enabled: errors.length > 0 })
  const fundOf = ({ details }: RolloverError) =>
    funds?.find((one) => one.id === details?.fundId)?.code ?? ''
  const csv = useCsv<RolloverError>({
    name: 'rollover-errors',
    load: async () => ({ rows: [...errors], total: errors.length }),
    head: [t('acq.what'), t('fin.reason'), t('acq.fund'), t('acq.amount'), t('acq.order')],
    row: (one) => [
      one.failedAction,
      one.errorMessage,
      fundOf(one),
      one.details?.amount ?? '',
      one.details?.purchaseOrderId ?? '',
    ],
  })
  if (!errors.length) return null
  const columns: Column<RolloverError>[] = [
    {
      id: 'message',
      title: t('fin.reason'),
      kind: 'main',
      cell: (one) => <bdi>{one.errorMessage}</bdi>,
    },
    {
      id: 'action',
      title: t('acq.what'),
      width: 13,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{one.failedAction}</bdi>,
    },
    { id: 'fund', title: t('acq.fund'), width: 9, cell: (one) => <bdi>{fundOf(one)}</bdi> },
    {
      id: 'amount',
      title: t('acq.amount'),
      width: 9,
      kind: 'num',
      named: true,
      cell: ({ details }) => money(details?.amount, currency),
    },
    {
      id: 'order',
      title: t('acq.order'),
      width: 8,
      cell: ({ details }) =>
        details?.purchaseOrderId ? (
          <Link to="/orders/$id" params={{ id: details.purchaseOrderId }} tabIndex={-1}>
            {t('acq.order')}
          </Link>
        ) : null,
    },
  ]
  return (
    <Section title={t('fin.errors')} count={number(errors.length)} acts={<CsvSave csv={csv} />}>
      <Table
        label={t('fin.errors')}
        columns={columns}
        rows={rowsOf(errors)}
        keyOf={(one) => one.id}
        nameOf={(one) => one.errorMessage}
        onOpen={({ details }) => {
          if (details?.purchaseOrderId)
            void navigate({ to: '/orders/$id', params: { id: details.purchaseOrderId } })
        }}
      />
    </Section>
  )
}
