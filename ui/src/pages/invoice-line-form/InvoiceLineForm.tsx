// A line of an invoice is made or changed.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AcqForm } from '#/acquisitions/form/AcqForm'
import { useDistributions } from '#/acquisitions/form/useDistributions'
import { INVOICE_LINES, invoiceQuery } from '#/acquisitions/invoices'
import { loadFunds, recordQuery } from '#/acquisitions/queries'
import { keepTags, useTagField } from '#/acquisitions/tags'
import type { InvoiceLine } from '#/acquisitions/types'
import { post, put } from '#/api/client'
import { queryClient, useLoaded } from '#/api/query'
import type { Id } from '#/api/types'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import type { Part } from '#/inventory/form/specs'

const lineQuery = (id: string) => recordQuery<InvoiceLine>(INVOICE_LINES, id)

export async function loader(id: string, lineId: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions'),
    loadFunds(),
    queryClient.ensureQueryData(invoiceQuery(id)),
    lineId !== 'new' && queryClient.fetchQuery(lineQuery(lineId)),
  ])
}

export function InvoiceLineForm() {
  const t = useText()
  const params = useParams({ strict: false }) as { id?: string; lineId?: string }
  const { id = '' } = params
  const lineId = params.lineId === 'new' ? undefined : params.lineId
  const invoice = useLoaded(invoiceQuery(id))
  const { data } = useQuery({ ...lineQuery(lineId ?? ''), enabled: false })
  const funds = useDistributions('fundDistributions')
  const tags = useTagField()
  const isFixed = !['Open', 'Reviewed'].includes(invoice.status)
  const parts = useMemo(
    (): Part[] => [
      {
        title: t('acq.summary'),
        fields: [
          { name: 'description', label: t('acq.description'), kind: 'text', needed: true },
          ...(isFixed
            ? []
            : [
                { name: 'quantity', label: t('acq.copies'), kind: 'number' as const, needed: true },
                {
                  name: 'subTotal',
                  label: t('acq.subTotal'),
                  kind: 'number' as const,
                  needed: true,
                },
              ]),
          { name: 'accountNumber', label: t('acq.vendorAccount'), kind: 'text' },
          { name: 'releaseEncumbrance', label: t('acq.releaseEncumbrance'), kind: 'flag' },
          { name: 'comment', label: t('acq.note'), kind: 'long' },
          tags,
          ...(isFixed ? [] : [funds]),
        ],
      },
    ],
    [t, funds, isFixed, tags],
  )
  const record = useMemo(
    () =>
      lineId && data
        ? data
        : ({
            invoiceId: id,
            invoiceLineStatus: 'Open',
            quantity: 1,
            releaseEncumbrance: false,
            fundDistributions: [{ distributionType: 'percentage', value: 100 }],
          } as unknown as InvoiceLine),
    [lineId, data, id],
  )
  return (
    <AcqForm<InvoiceLine>
      key={lineId}
      title={lineId ? t('acq.editOf', { name: record.invoiceLineNumber ?? '' }) : t('acq.addLine')}
      path={
        <>
          <Link to="/invoices" search={{}}>
            {t('shell.invoices')}
          </Link>{' '}
          /{' '}
          <Link to="/invoices/$id" params={{ id }}>
            <bdi>{invoice.vendorInvoiceNo}</bdi>
          </Link>
        </>
      }
      record={record}
      parts={parts}
      stored={lineId ? { path: `${INVOICE_LINES}/${lineId}` } : undefined}
      save={async (next) => {
        await keepTags(next)
        const body = {
          ...next,
          releaseEncumbrance: Boolean(next.releaseEncumbrance),
          fundDistributions: next.fundDistributions?.filter((one) => one.fundId),
        }
        if (lineId) await put(`${INVOICE_LINES}/${lineId}`, body)
        else await post<Id>(INVOICE_LINES, body)
        return { to: `/invoices/${id}` }
      }}
    />
  )
}
