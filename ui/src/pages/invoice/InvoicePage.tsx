// An invoice with its lines, adjustments, sums and voucher: approved, paid, cancelled.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { invoiceLinesQuery, invoiceQuery } from '#/acquisitions/invoices'
import { useMoney } from '#/acquisitions/money'
import { batchGroupsQuery, organizationOf, yearsQuery } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import { useWord } from '#/acquisitions/words'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Description } from '#/ui/Description'
import { Figures } from '#/ui/Figures'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { Adjustments } from './Adjustments'
import { Documents } from './Documents'
import { InvoiceActs } from './InvoiceActs'
import { InvoiceTask, type Task } from './InvoiceTask'
import { Lines } from './Lines'
import { VoucherPart } from './VoucherPart'

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(invoiceQuery(id)),
    queryClient.ensureQueryData(invoiceLinesQuery(id)),
  ])
}

export function InvoicePage() {
  const t = useText()
  const word = useWord()
  const money = useMoney()
  const { day, dayTime, number } = useFormats()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const invoice = useLoaded(invoiceQuery(id))
  const lines = useLoaded(invoiceLinesQuery(id))
  const { data: vendors } = useQuery(organizationOf(invoice.vendorId))
  const { data: groups } = useQuery(batchGroupsQuery)
  const { data: years } = useQuery({ ...yearsQuery, enabled: Boolean(invoice.fiscalYearId) })
  const [task, setTask] = useState<Task>()
  const { currency } = invoice
  const sum = (label: string, amount: number | undefined) => ({
    label,
    value: money(amount ?? 0, currency),
  })
  return (
    <>
      <RecordHead
        title={t('acq.invoiceOf', { number: invoice.vendorInvoiceNo })}
        path={
          <>
            <Link to="/invoices" search={{}}>
              {t('shell.invoices')}
            </Link>{' '}
            /{' '}
            <Link to="/organizations/$id" params={{ id: invoice.vendorId }}>
              <bdi>{vendors?.[0]?.name ?? t('acq.vendor')}</bdi>
            </Link>{' '}
            / <bdi>{invoice.folioInvoiceNo}</bdi>
          </>
        }
        sub={<StateOf value={invoice.status} />}
      >
        <InvoiceActs invoice={invoice} lines={lines} onTask={setTask} />
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          {task ? (
            <InvoiceTask
              key={task}
              invoice={invoice}
              task={task}
              onClose={() => setTask(undefined)}
            />
          ) : null}
          <Figures
            figures={[
              sum(t('acq.subTotal'), invoice.subTotal),
              sum(t('acq.adjustments'), invoice.adjustmentsTotal),
              sum(t('acq.total'), invoice.total),
              ...(invoice.lockTotal === undefined
                ? []
                : [sum(t('acq.lockTotal'), invoice.lockTotal)]),
            ]}
          />
          <Lines invoice={invoice} lines={lines} />
          <Adjustments adjustments={invoice.adjustments ?? []} currency={currency} />
          <VoucherPart invoice={invoice} />
          <Documents invoice={invoice} />
          <Section title={t('acq.summary')}>
            <Description
              lines={[
                [t('acq.invoiceDate'), day(invoice.invoiceDate)],
                [t('acq.paymentDue'), invoice.paymentDue && day(invoice.paymentDue)],
                [t('acq.approved'), invoice.approvalDate && dayTime(invoice.approvalDate)],
                [t('acq.paid'), invoice.paymentDate && dayTime(invoice.paymentDate)],
                [t('acq.paymentMethod'), word(invoice.paymentMethod)],
                [t('acq.fiscalYear'), years?.find((one) => one.id === invoice.fiscalYearId)?.name],
                [t('acq.batchGroup'), groups?.find((one) => one.id === invoice.batchGroupId)?.name],
                [t('acq.exchangeRate'), invoice.exchangeRate && number(invoice.exchangeRate)],
                [t('acq.orderNumbers'), invoice.poNumbers?.join(', ')],
                [t('acq.accountingCode'), invoice.accountingCode],
                [t('acq.note'), invoice.note],
                [t('acq.tags'), invoice.tags?.tagList?.join(', ')],
                [t('acq.cancellationNote'), invoice.cancellationNote],
              ]}
            />
          </Section>
        </div>
      </div>
    </>
  )
}
