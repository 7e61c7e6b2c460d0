// The columns of the lists of order lines.
import { Link } from '@tanstack/react-router'
import { useMoney } from '#/acquisitions/money'
import { StateOf } from '#/acquisitions/StateOf'
import type { OrderLine } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { useText } from '#/i18n/text'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import type { View } from './kinds'

export function useLineColumns(): (view: View) => Column<OrderLine>[] {
  const t = useText()
  const word = useWord()
  const money = useMoney()
  return (view) => [
    {
      id: 'title',
      title: t('acq.title'),
      kind: 'main',
      sort: 'title',
      cell: (one) => (
        <Link
          className={table.title}
          to="/orders/$id/lines/$lineId"
          params={{ id: one.purchaseOrderId, lineId: one.id }}
          tabIndex={-1}
        >
          <bdi>{one.titleOrPackage}</bdi>
        </Link>
      ),
    },
    {
      id: 'number',
      title: t('acq.lineNumber'),
      width: 8,
      sort: 'number',
      cell: (one) => <bdi>{one.poLineNumber}</bdi>,
    },
    { id: 'format', title: t('acq.format'), width: 8, cell: (one) => word(one.orderFormat) },
    {
      id: 'receipt',
      title: t('acq.receiptStatus'),
      width: 11,
      cell: (one) => <StateOf value={one.receiptStatus} />,
    },
    {
      id: 'payment',
      title: t('acq.paymentStatus'),
      width: 11,
      wide: view === 'receiving',
      cell: (one) => <StateOf value={one.paymentStatus} />,
    },
    {
      id: 'price',
      title: t('acq.estimated'),
      width: 8.5,
      kind: 'num',
      named: true,
      wide: true,
      cell: ({ cost }) => money(cost.poLineEstimatedPrice, cost.currency),
    },
  ]
}
