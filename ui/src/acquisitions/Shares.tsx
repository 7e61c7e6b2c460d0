// Which funds pay for a line, and with what share.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import { useMoney } from './money'
import { classesQuery, fundsQuery } from './queries'
import type { Distribution } from './types'

interface Props {
  shares: readonly Distribution[]
  currency: string
}

export function Shares({ shares, currency }: Props) {
  const t = useText()
  const money = useMoney()
  const { number } = useFormats()
  const { data: funds } = useQuery(fundsQuery)
  const { data: classes } = useQuery(classesQuery)
  if (!shares.length) return <p className="sm muted">{t('acq.noFunds')}</p>
  const columns: Column<Distribution>[] = [
    {
      id: 'fund',
      title: t('acq.fund'),
      kind: 'main',
      cell: ({ fundId = '', code }) => {
        const fund = funds?.find((one) => one.id === fundId)
        return (
          <Link
            className={table.title}
            to="/finance/funds/$id"
            params={{ id: fundId }}
            tabIndex={-1}
          >
            <bdi>{fund ? `${fund.code} · ${fund.name}` : (code ?? fundId)}</bdi>
          </Link>
        )
      },
    },
    {
      id: 'class',
      title: t('acq.expenseClass'),
      width: 11,
      cell: (one) => <bdi>{classes?.find(({ id }) => id === one.expenseClassId)?.name}</bdi>,
    },
    {
      id: 'share',
      title: t('acq.share'),
      width: 9,
      kind: 'num',
      named: true,
      cell: ({ value = 0, distributionType }) =>
        distributionType === 'amount'
          ? money(value, currency)
          : t('acq.percent', { value: number(value) }),
    },
  ]
  return (
    <Table
      label={t('acq.funds')}
      columns={columns}
      rows={rowsOf(shares)}
      keyOf={(one) => `${one.fundId}/${one.expenseClassId}`}
      nameOf={(one) => one.code ?? ''}
    />
  )
}
