// The lines of an invoice by their numbers.
import { Link, useNavigate } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useMoney } from '#/acquisitions/money'
import { quiet } from '#/acquisitions/quiet'
import type { Invoice, InvoiceLine } from '#/acquisitions/types'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Badge } from '#/ui/Badge'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

interface Props {
  invoice: Invoice
  lines: readonly InvoiceLine[]
}

export function Lines({ invoice, lines }: Props) {
  const t = useText()
  const money = useMoney()
  const { number } = useFormats()
  const navigate = useNavigate()
  const rows = lines.toSorted(
    (a, b) => Number(a.invoiceLineNumber ?? 0) - Number(b.invoiceLineNumber ?? 0),
  )
  const sum = (id: 'subTotal' | 'adjustmentsTotal' | 'total', title: string) => ({
    id,
    title,
    width: 8,
    kind: 'num' as const,
    named: true,
    wide: id === 'adjustmentsTotal',
    cell: (one: InvoiceLine) => {
      const text = money(one[id] ?? 0, invoice.currency)
      return id === 'adjustmentsTotal' ? quiet(one[id], text) : text
    },
  })
  const columns: Column<InvoiceLine>[] = [
    {
      id: 'number',
      title: t('acq.lineNumber'),
      width: 6,
      listOnly: true,
      cell: (one) => <bdi>{one.invoiceLineNumber}</bdi>,
    },
    {
      id: 'description',
      title: t('acq.description'),
      kind: 'main',
      cell: (one) => (
        <>
          <Link
            className={table.title}
            to="/invoices/$id/lines/$lineId/edit"
            params={{ id: invoice.id, lineId: one.id }}
            tabIndex={-1}
          >
            <bdi>{one.description}</bdi>
          </Link>
          <Tags tags={one.tags} />
        </>
      ),
    },
    {
      id: 'funds',
      title: t('acq.funds'),
      width: 9,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{one.fundDistributions?.map(({ code }) => code).join(', ')}</bdi>,
    },
    {
      id: 'quantity',
      title: t('acq.copies'),
      width: 5,
      kind: 'num',
      named: true,
      cell: ({ quantity }) => number(quantity),
    },
    sum('subTotal', t('acq.subTotal')),
    sum('adjustmentsTotal', t('acq.adjustments')),
    sum('total', t('acq.total')),
  ]
  return (
    <Section title={t('acq.invoiceLines')} count={number(lines.length)}>
      {rows.length ? (
        <Table
          label={t('acq.invoiceLines')}
          columns={columns}
          rows={rowsOf(rows)}
          keyOf={(one) => one.id}
          nameOf={(one) => one.description}
          onOpen={(one) =>
            void navigate({
              to: '/invoices/$id/lines/$lineId/edit',
              params: { id: invoice.id, lineId: one.id },
            })
          }
        />
      ) : (
        <p className="sm muted">{t('acq.noLines')}</p>
      )}
    </Section>
  )
}

function Tags({ tags }: Pick<InvoiceLine, 'tags'>) {
  return tags?.tagList?.map((tag) => (
    <Fragment key={tag}>
      {' '}
      <Badge>
        <bdi>{tag}</bdi>
      </Badge>
    </Fragment>
  ))
}
