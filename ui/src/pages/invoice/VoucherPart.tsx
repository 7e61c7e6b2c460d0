// The voucher that approval made, with what each account pays; what accounting writes back is changed here.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RecordCard } from '#/acquisitions/form/RecordCard'
import { voucherLinesQuery, voucherQuery } from '#/acquisitions/invoices'
import { useMoney } from '#/acquisitions/money'
import { batchGroupsQuery } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import type { Invoice, Voucher } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { put } from '#/api/client'
import { useText } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Description } from '#/ui/Description'
import { Failed } from '#/ui/Failed'
import { Section } from '#/ui/Section'
import { VoucherLines } from './VoucherLines'

const PATH = '/voucher/vouchers'

export function VoucherPart({ invoice }: { invoice: Invoice }) {
  const t = useText()
  const word = useWord()
  const money = useMoney()
  const { day, number } = useFormats()
  const { allowed } = useNeeds('voucher.vouchers.collection.get')
  const mayEdit = useNeeds('voucher.vouchers.item.put')
  const [editing, setEditing] = useState(false)
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
  const { data: groups } = useQuery(batchGroupsQuery)
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!voucher) return null
  // All else follows from the invoice.
  const fields: Spec[] = [
    { name: 'voucherNumber', label: t('acq.number'), kind: 'text', needed: true },
    { name: 'accountNo', label: t('acq.accountNo'), kind: 'text' },
    { name: 'disbursementNumber', label: t('fin.disbursementNumber'), kind: 'text' },
    { name: 'disbursementDate', label: t('fin.disbursementDate'), kind: 'day' },
    { name: 'disbursementAmount', label: t('fin.disbursementAmount'), kind: 'number' },
    { name: 'enclosureNeeded', label: t('fin.enclosure'), kind: 'flag' },
  ]
  return (
    <Section
      title={t('acq.voucher')}
      acts={
        <Button small icon="pencil" disabled={mayEdit.reason} onPress={() => setEditing(true)}>
          {t('fin.editVoucher')}
        </Button>
      }
    >
      <div className="stack wide">
        {editing ? (
          <RecordCard<Voucher>
            title={t('fin.editVoucher')}
            record={voucher}
            fields={fields}
            stored={`${PATH}/${voucher.id}`}
            save={(next) =>
              put(`${PATH}/${voucher.id}`, {
                ...next,
                enclosureNeeded: next.enclosureNeeded === true,
              })
            }
            onClose={() => setEditing(false)}
          />
        ) : null}
        <Description
          lines={[
            [t('acq.number'), voucher.voucherNumber],
            [t('acq.status'), <StateOf key="status" value={voucher.status} />],
            [t('fin.kind'), word(voucher.type)],
            [t('acq.amount'), money(voucher.amount, voucher.systemCurrency)],
            [t('acq.date'), voucher.voucherDate && day(voucher.voucherDate)],
            [
              t('acq.exchangeRate'),
              voucher.systemCurrency === voucher.invoiceCurrency
                ? undefined
                : voucher.exchangeRate && number(voucher.exchangeRate),
            ],
            [t('acq.batchGroup'), groups?.find((one) => one.id === voucher.batchGroupId)?.name],
            [t('acq.exportToAccounting'), voucher.exportToAccounting ? t('acq.yes') : undefined],
            [t('acq.accountNo'), voucher.accountNo],
            [t('fin.disbursementNumber'), voucher.disbursementNumber],
            [t('fin.disbursementDate'), voucher.disbursementDate && day(voucher.disbursementDate)],
            [
              t('fin.disbursementAmount'),
              money(voucher.disbursementAmount, voucher.systemCurrency),
            ],
            [t('fin.enclosure'), voucher.enclosureNeeded ? t('acq.yes') : undefined],
          ]}
        />
        {lines?.length ? <VoucherLines lines={lines} currency={voucher.systemCurrency} /> : null}
      </div>
    </Section>
  )
}
