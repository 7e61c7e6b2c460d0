// What was ordered of a title: its lines, with their orders.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { StateOf } from '#/acquisitions/StateOf'
import type { Order, OrderLine } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { allPages } from '#/api/allPages'
import { anyOf, equals } from '#/api/cql'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { Skeleton } from '#/ui/Skeleton'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

interface Row {
  line: OrderLine
  order?: Order
}

const ordersQuery = (instanceId: string) =>
  queryOptions({
    queryKey: ['acq', 'of-title', instanceId],
    queryFn: async ({ signal }): Promise<Row[]> => {
      const cql = equals('instanceId', instanceId)
      const lines = await allPages<OrderLine>('/orders/order-lines', 'poLines', cql, signal)
      const ids = [...new Set(lines.map((one) => one.purchaseOrderId))]
      const orders = ids.length
        ? await allPages<Order>(
            '/orders/composite-orders',
            'purchaseOrders',
            anyOf('id', ids),
            signal,
          )
        : []
      return lines
        .map((line) => ({ line, order: orders.find(({ id }) => id === line.purchaseOrderId) }))
        .toSorted((one, other) =>
          (other.order?.dateOrdered ?? '').localeCompare(one.order?.dateOrdered ?? ''),
        )
    },
    staleTime: 0,
  })

export function Orders({ instanceId }: { instanceId: string }) {
  const t = useText()
  const word = useWord()
  const { day } = useFormats()
  const navigate = useNavigate()
  const lines = useNeeds('orders.po-lines.collection.get')
  const orders = useNeeds('orders.collection.get')
  const reason = lines.reason ?? orders.reason
  const { data, error, refetch } = useQuery({ ...ordersQuery(instanceId), enabled: !reason })
  if (reason) return <Empty icon="lock" title={reason} />
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton share={18} />
  if (!data.length) return <Empty icon="shopping-cart" title={t('inventory.noOrders')} />
  const place = ({ line }: Row) => ({ id: line.purchaseOrderId, lineId: line.id })
  const columns: Column<Row>[] = [
    {
      id: 'number',
      title: t('acq.lineNumber'),
      kind: 'main',
      cell: (row) => (
        <Link
          className={table.title}
          to="/orders/$id/lines/$lineId"
          params={place(row)}
          tabIndex={-1}
        >
          <bdi>{row.line.poLineNumber}</bdi>
        </Link>
      ),
    },
    {
      id: 'format',
      title: t('acq.format'),
      width: 11,
      soft: true,
      cell: ({ line }) => word(line.orderFormat),
    },
    {
      id: 'order',
      title: t('acq.order'),
      width: 8,
      cell: ({ order }) => <StateOf value={order?.workflowStatus} />,
    },
    {
      id: 'ordered',
      title: t('acq.ordered'),
      width: 10,
      cell: ({ order }) => (order?.dateOrdered ? day(order.dateOrdered) : ''),
    },
    {
      id: 'receipt',
      title: t('acq.receiptStatus'),
      width: 11,
      cell: ({ line }) => <StateOf value={line.receiptStatus} />,
    },
  ]
  return (
    <Table
      label={t('inventory.tab.orders')}
      columns={columns}
      rows={rowsOf(data)}
      keyOf={({ line }) => line.id}
      nameOf={({ line }) => line.poLineNumber ?? line.titleOrPackage}
      onOpen={(row) => void navigate({ to: '/orders/$id/lines/$lineId', params: place(row) })}
    />
  )
}
