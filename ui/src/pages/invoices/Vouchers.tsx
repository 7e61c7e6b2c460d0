// Vouchers by number, and by whether they go to accounting; each leads to its invoice.
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { RecordList } from '#/acquisitions/list/RecordList'
import type { ListSearch } from '#/acquisitions/list/search'
import { type ListKind, sourceOf } from '#/acquisitions/list/source'
import { useMoney } from '#/acquisitions/money'
import { StateOf } from '#/acquisitions/StateOf'
import type { Voucher } from '#/acquisitions/types'
import { queryClient } from '#/api/query'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Head } from '#/ui/Page'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import { firstWindow } from '#/ui/useWindows'
import { InvoiceTabs } from './InvoiceTabs'

const KIND: ListKind = {
  path: '/voucher/vouchers',
  rows: 'vouchers',
  starts: ['voucherNumber'],
  sorts: { number: 'voucherNumber', date: 'voucherDate' },
  sort: '-date',
  // Their status has no index: it is a column, no facet.
  facets: { kind: 'exportToAccounting' },
}

export const loader = (search: ListSearch) =>
  queryClient.ensureQueryData(firstWindow(sourceOf<Voucher>(KIND, search)))

export function Vouchers() {
  const t = useText()
  const money = useMoney()
  const formats = useFormats()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as ListSearch
  const columns: Column<Voucher>[] = [
    {
      id: 'number',
      title: t('acq.number'),
      kind: 'main',
      sort: 'number',
      cell: (one) => (
        <Link
          className={table.title}
          to="/invoices/$id"
          params={{ id: one.invoiceId }}
          tabIndex={-1}
        >
          <bdi>{one.voucherNumber}</bdi>
        </Link>
      ),
    },
    {
      id: 'status',
      title: t('acq.status'),
      width: 11,
      cell: ({ status }) => <StateOf value={status} />,
    },
    {
      id: 'date',
      title: t('acq.date'),
      width: 9,
      sort: 'date',
      cell: ({ voucherDate }) => (voucherDate ? formats.day(voucherDate) : null),
    },
    {
      id: 'disbursement',
      title: t('fin.disbursementNumber'),
      width: 10,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{one.disbursementNumber}</bdi>,
    },
    {
      id: 'accounting',
      title: t('acq.accountingCode'),
      width: 9,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{one.accountingCode}</bdi>,
    },
    {
      id: 'amount',
      title: t('acq.amount'),
      width: 8,
      kind: 'num',
      named: true,
      cell: (one) => money(one.amount, one.systemCurrency),
    },
  ]
  return (
    <RecordList<Voucher>
      kind={KIND}
      search={search}
      label={t('fin.list.vouchers')}
      words={t('fin.findVouchers')}
      icon="receipt-text"
      none={t('acq.none')}
      facets={[
        {
          id: 'kind',
          title: t('acq.exportToAccounting'),
          values: [
            { value: 'true', text: t('acq.yes') },
            { value: 'false', text: t('fin.no') },
          ],
        },
      ]}
      columns={() => columns}
      nameOf={(one) => one.voucherNumber}
      onChange={(patch) =>
        void navigate({ to: '/invoices', search: { ...search, ...patch }, replace: true })
      }
      onOpen={({ invoiceId }) => void navigate({ to: '/invoices/$id', params: { id: invoiceId } })}
    >
      <Head title={t('shell.invoices')} />
      <InvoiceTabs current="vouchers" />
    </RecordList>
  )
}
