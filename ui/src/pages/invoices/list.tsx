// Invoices: by number, status and vendor. Beside them the vouchers, and their exports to accounting.
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { RecordList } from '#/acquisitions/list/RecordList'
import type { ListSearch } from '#/acquisitions/list/search'
import { type ListKind, sourceOf } from '#/acquisitions/list/source'
import { useMoney } from '#/acquisitions/money'
import { useOrganizationNames } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import type { Invoice } from '#/acquisitions/types'
import { INVOICE, useChoices } from '#/acquisitions/words'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Head } from '#/ui/Page'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import { firstWindow, type Windows } from '#/ui/useWindows'
import { Exports, loader as exportsLoader } from '../exports/Exports'
import { InvoiceTabs, viewOf } from './InvoiceTabs'
import { Vouchers, loader as vouchersLoader } from './Vouchers'

const KIND: ListKind = {
  path: '/invoice/invoices',
  rows: 'invoices',
  starts: ['vendorInvoiceNo', 'folioInvoiceNo', 'poNumbers'],
  sorts: {
    number: 'vendorInvoiceNo',
    folio: 'folioInvoiceNo',
    status: 'status',
    date: 'invoiceDate',
  },
  sort: '-date',
  facets: { status: 'status', of: 'vendorId' },
}

export async function loader(search: ListSearch) {
  const view = viewOf(search.view)
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions', 'finance'),
    view === 'vouchers' && vouchersLoader(search),
    view === 'exports' && exportsLoader(),
    view === 'invoices' &&
      queryClient.ensureQueryData(firstWindow(sourceOf<Invoice>(KIND, search))),
  ])
}

export function InvoicesPage() {
  const { view } = useSearch({ strict: false }) as ListSearch
  if (viewOf(view) === 'vouchers') return <Vouchers />
  return viewOf(view) === 'exports' ? <Exports /> : <Invoices />
}

function Invoices() {
  const t = useText()
  const choices = useChoices()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as ListSearch
  const { reason } = useNeeds('invoice.invoices.item.post')
  const columns = useInvoiceColumns()
  const vendor = useOrganizationNames(search.of ?? [])
  const add = () => void navigate({ to: '/invoices/$id/edit', params: { id: 'new' } })
  useCommands([
    {
      id: 'acq.newInvoice',
      title: 'acq.newInvoice',
      group: 'page',
      keys: 'Alt+N',
      disabled: reason,
      run: add,
    },
  ])
  return (
    <RecordList<Invoice>
      kind={KIND}
      search={search}
      label={t('shell.invoices')}
      words={t('acq.findInvoices')}
      icon="receipt-text"
      none={t('acq.none')}
      facets={[
        { id: 'status', title: t('acq.status'), values: choices(INVOICE) },
        ...(search.of
          ? [
              {
                id: 'of' as const,
                title: t('acq.vendor'),
                values: search.of.map((value) => ({ value, text: vendor(value) ?? value })),
              },
            ]
          : []),
      ]}
      columns={columns}
      nameOf={(one) => one.vendorInvoiceNo}
      onChange={(patch) =>
        void navigate({ to: '/invoices', search: { ...search, ...patch }, replace: true })
      }
      onOpen={({ id }) => void navigate({ to: '/invoices/$id', params: { id } })}
    >
      <Head title={t('shell.invoices')}>
        <Button kind="primary" icon="plus" keys="Alt+N" disabled={reason} onPress={add}>
          {t('acq.newInvoice')}
        </Button>
      </Head>
      <InvoiceTabs current="invoices" />
    </RecordList>
  )
}

function useInvoiceColumns(): (rows: Windows<Invoice>) => Column<Invoice>[] {
  const t = useText()
  const money = useMoney()
  const formats = useFormats()
  const [vendors, setVendors] = useState<readonly string[]>([])
  const nameOf = useOrganizationNames(vendors)
  return (rows) => {
    const seen = [
      ...new Set(rows.inView.flatMap((one) => one.rows.map(({ vendorId }) => vendorId))),
    ].sort()
    if (seen.join() !== vendors.join()) setTimeout(() => setVendors(seen))
    return [
      {
        id: 'number',
        title: t('acq.vendorInvoiceNo'),
        kind: 'main',
        sort: 'number',
        cell: ({ id, vendorInvoiceNo }) => (
          <Link className={table.title} to="/invoices/$id" params={{ id }} tabIndex={-1}>
            <bdi>{vendorInvoiceNo}</bdi>
          </Link>
        ),
      },
      {
        id: 'vendor',
        title: t('acq.vendor'),
        width: 14,
        cell: ({ vendorId }) => <bdi>{nameOf(vendorId)}</bdi>,
      },
      {
        id: 'status',
        title: t('acq.status'),
        width: 8,
        sort: 'status',
        cell: ({ status }) => <StateOf value={status} />,
      },
      {
        id: 'date',
        title: t('acq.invoiceDate'),
        width: 9,
        sort: 'date',
        cell: ({ invoiceDate }) => formats.day(invoiceDate),
      },
      {
        id: 'folio',
        title: t('acq.folioNo'),
        width: 7,
        sort: 'folio',
        wide: true,
        soft: true,
        cell: ({ folioInvoiceNo }) => <bdi>{folioInvoiceNo}</bdi>,
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
  }
}
