// The invoices of an order: those that its number stands on.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMoney } from '#/acquisitions/money'
import { ofQuery } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import type { Invoice, Order } from '#/acquisitions/types'
import { quoted } from '#/api/cql'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

export function Invoices({ order }: { order: Order }) {
  const t = useText()
  const money = useMoney()
  const { day } = useFormats()
  const navigate = useNavigate()
  const { allowed } = useNeeds('invoice.invoices.collection.get')
  const { data } = useQuery({
    ...ofQuery<Invoice>(
      '/invoice/invoices',
      'invoices',
      `poNumbers=${quoted(order.poNumber ?? '')}`,
    ),
    enabled: allowed && Boolean(order.poNumber) && order.workflowStatus !== 'Pending',
  })
  // The index holds words: a number may be part of another order's.
  const invoices = (data ?? []).filter((one) => one.poNumbers?.includes(order.poNumber ?? ''))
  if (!invoices.length) return null
  const columns: Column<Invoice>[] = [
    {
      id: 'number',
      title: t('acq.vendorInvoiceNo'),
      kind: 'main',
      cell: ({ id, vendorInvoiceNo }) => (
        <Link className={table.title} to="/invoices/$id" params={{ id }} tabIndex={-1}>
          <bdi>{vendorInvoiceNo}</bdi>
        </Link>
      ),
    },
    {
      id: 'status',
      title: t('acq.status'),
      width: 9,
      cell: ({ status }) => <StateOf value={status} />,
    },
    {
      id: 'date',
      title: t('acq.date'),
      width: 10,
      cell: ({ invoiceDate }) => day(invoiceDate),
    },
    {
      id: 'total',
      title: t('acq.total'),
      width: 9,
      kind: 'num',
      named: true,
      cell: ({ total, currency }) => money(total, currency),
    },
  ]
  return (
    <Section title={t('shell.invoices')}>
      <Table
        label={t('shell.invoices')}
        columns={columns}
        rows={rowsOf(invoices)}
        keyOf={(one) => one.id}
        nameOf={(one) => one.vendorInvoiceNo}
        onOpen={({ id }) => void navigate({ to: '/invoices/$id', params: { id } })}
      />
    </Section>
  )
}
