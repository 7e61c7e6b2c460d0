// The voucher that approval made, with what each account pays.
import { useQuery } from '@tanstack/react-query'
import { voucherLinesQuery, voucherQuery } from '#/acquisitions/invoices'
import { useMoney } from '#/acquisitions/money'
import { StateOf } from '#/acquisitions/StateOf'
import type { Invoice, VoucherLine } from '#/acquisitions/types'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Description } from '#/ui/Description'
import { Failed } from '#/ui/Failed'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'

export function VoucherPart({ invoice }: { invoice: Invoice }) {
  const t = useText()
  const money = useMoney()
  const { day, number } = useFormats()
  const { allowed } = useNeeds('voucher.vouchers.collection.get')
  const isMade = !['Open', 'Reviewed'].includes(invoice.status)
  const { data, error, refetch } = useQuery({
    ...voucherQuery(invoice.id),
    enabled: isMade && allowed,
  })
  const voucher = data?.[0]
  const { data: lines } = useQuery({
    ...voucherLinesQuery(voucher?.id ?? ''),
    enabled: Boolean(voucher),
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!voucher) return null
  const columns: Column<VoucherLine>[] = [
    {
      id: 'account',
      title: t('acq.externalAccount'),
      kind: 'main',
      cell: (one) => <bdi>{one.externalAccountNumber}</bdi>,
    },
    {
      id: 'amount',
      title: t('acq.amount'),
      width: 10,
      kind: 'num',
      named: true,
      cell: (one) => money(one.amount, voucher.systemCurrency),
    },
  ]
  return (
    <Section title={t('acq.voucher')}>
      <div className="stack wide">
        <Description
          lines={[
            [t('acq.number'), voucher.voucherNumber],
            [t('acq.status'), <StateOf key="status" value={voucher.status} />],
            [t('acq.amount'), money(voucher.amount, voucher.systemCurrency)],
            [t('acq.date'), voucher.voucherDate && day(voucher.voucherDate)],
            [
              t('acq.exchangeRate'),
              voucher.systemCurrency === voucher.invoiceCurrency
                ? undefined
                : voucher.exchangeRate && number(voucher.exchangeRate),
            ],
          ]}
        />
        {lines?.length ? (
          <Table
            label={t('acq.voucherLines')}
            columns={columns}
            rows={rowsOf(lines)}
            keyOf={(one) => one.id}
            nameOf={(one) => one.externalAccountNumber}
          />
        ) : null}
      </div>
    </Section>
  )
}
