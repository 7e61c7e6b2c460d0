// The lines of an order by their numbers.
import { Link, useNavigate } from '@tanstack/react-router'
import { useMoney } from '#/acquisitions/money'
import { numberOf } from '#/acquisitions/orders'
import { StateOf } from '#/acquisitions/StateOf'
import type { Order, OrderLine } from '#/acquisitions/types'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

export function Lines({ order }: { order: Order }) {
  const t = useText()
  const money = useMoney()
  const { number } = useFormats()
  const navigate = useNavigate()
  const lines = (order.compositePoLines ?? []).toSorted((a, b) => numberOf(a) - numberOf(b))
  const columns: Column<OrderLine>[] = [
    {
      id: 'number',
      title: t('acq.lineNumber'),
      width: 7,
      cell: (one) => <bdi>{one.poLineNumber}</bdi>,
    },
    {
      id: 'title',
      title: t('acq.title'),
      kind: 'main',
      cell: (one) => (
        <Link
          className={table.title}
          to="/orders/$id/lines/$lineId"
          params={{ id: order.id, lineId: one.id }}
          tabIndex={-1}
        >
          <bdi>{one.titleOrPackage}</bdi>
        </Link>
      ),
    },
    {
      id: 'copies',
      title: t('acq.copies'),
      width: 5,
      kind: 'num',
      named: true,
      cell: ({ cost }) => number((cost.quantityPhysical ?? 0) + (cost.quantityElectronic ?? 0)),
    },
    {
      id: 'price',
      title: t('acq.estimated'),
      width: 8,
      kind: 'num',
      named: true,
      cell: ({ cost }) => money(cost.poLineEstimatedPrice, cost.currency),
    },
    {
      id: 'funds',
      title: t('acq.funds'),
      width: 8,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{one.fundDistribution?.map(({ code }) => code).join(', ')}</bdi>,
    },
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
      cell: (one) => <StateOf value={one.paymentStatus} />,
    },
  ]
  return (
    <Section title={t('acq.orders.lines')} count={number(lines.length)}>
      {lines.length ? (
        <Table
          label={t('acq.orders.lines')}
          columns={columns}
          rows={rowsOf(lines)}
          keyOf={(one) => one.id}
          nameOf={(one) => one.titleOrPackage}
          onOpen={(one) =>
            void navigate({
              to: '/orders/$id/lines/$lineId',
              params: { id: order.id, lineId: one.id },
            })
          }
        />
      ) : (
        <p className="sm muted">{t('acq.noLines')}</p>
      )}
    </Section>
  )
}
