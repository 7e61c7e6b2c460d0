// An invoice is made, of an order's lines or empty, or changed.
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AcqForm, useEdited } from '#/acquisitions/form/AcqForm'
import { currencies } from '#/acquisitions/form/fields'
import { useDistributions } from '#/acquisitions/form/useDistributions'
import {
  adjustmentOf,
  INVOICE_LINES,
  INVOICES,
  invoiceQuery,
  isPayable,
  loadPresets,
  type Preset,
  presetsQuery,
  proposedLine,
} from '#/acquisitions/invoices'
import type { ListSearch } from '#/acquisitions/list/search'
import { numberOf, orderQuery } from '#/acquisitions/orders'
import { batchGroupsQuery, loadFunds } from '#/acquisitions/queries'
import { keepTags, useTagField } from '#/acquisitions/tags'
import type { Adjustment, Invoice } from '#/acquisitions/types'
import { useChoices } from '#/acquisitions/words'
import { post, put } from '#/api/client'
import { useLocale } from '#/api/locale'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { Note } from '#/ui/Note'
import { invoiceParts } from './parts'

const NONE: readonly Preset[] = []

export async function loader(id: string, { of }: ListSearch) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions', 'finance'),
    loadFunds(),
    queryClient.ensureQueryData(batchGroupsQuery),
    loadPresets(),
    of?.[0] && queryClient.ensureQueryData(orderQuery(of[0])),
    id !== 'new' && queryClient.fetchQuery(invoiceQuery(id)),
  ])
}

export function InvoiceForm() {
  const t = useText()
  const choices = useChoices()
  const { currency } = useLocale()
  const id = useEdited()
  const { of } = useSearch({ strict: false }) as ListSearch
  const groups = useLoaded(batchGroupsQuery)
  const { data } = useQuery({ ...invoiceQuery(id ?? ''), enabled: false })
  const { data: order } = useQuery({ ...orderQuery(of?.[0] ?? ''), enabled: false })
  const { data: presets = NONE } = useQuery({ ...presetsQuery, enabled: false })
  const funds = useDistributions('fundDistributions')
  const tags = useTagField()
  const lines = (order?.compositePoLines ?? [])
    .filter(isPayable)
    .toSorted((a, b) => numberOf(a) - numberOf(b))
  const isFixed = Boolean(id && data && !['Open', 'Reviewed'].includes(data.status))
  const parts = useMemo(
    () =>
      invoiceParts(t, choices, {
        isStored: Boolean(id),
        isFixed,
        funds,
        groups: groups.map((one) => ({ value: one.id, text: one.name })),
        currencies: currencies(currency),
        presets,
        tags,
      }),
    [t, choices, id, isFixed, funds, groups, currency, presets, tags],
  )
  const record = useMemo(
    () =>
      id && data
        ? data
        : ({
            status: 'Open',
            source: 'User',
            vendorId: order?.vendor,
            currency: order?.compositePoLines?.[0]?.cost.currency ?? currency,
            batchGroupId: groups[0]?.id,
            paymentMethod: 'EFT',
            invoiceDate: new Date().toISOString(),
            adjustments: presets.filter((one) => one.alwaysShow).map(adjustmentOf),
          } as Invoice),
    [id, data, order, currency, groups, presets],
  )
  return (
    <>
      <AcqForm<Invoice>
        key={id}
        title={id && data ? t('acq.editOf', { name: data.vendorInvoiceNo }) : t('acq.newInvoice')}
        path={
          <>
            <Link to="/invoices" search={{}}>
              {t('shell.invoices')}
            </Link>
            {order ? (
              <> / {t('acq.ofOrder', { number: order.poNumber ?? '', count: lines.length })}</>
            ) : null}
          </>
        }
        record={record}
        parts={parts}
        stored={id ? { path: `${INVOICES}/${id}` } : undefined}
        save={async (typed) => {
          await keepTags(typed)
          const next = { ...typed, adjustments: typed.adjustments?.map(wiredAdjustment) }
          if (id) {
            await put(`${INVOICES}/${id}`, next)
            return { to: `/invoices/${id}` }
          }
          const made = await post<Invoice>(INVOICES, next)
          // One after the other: their numbers follow those of the order.
          for (const line of lines) await post(INVOICE_LINES, proposedLine(made.id, line))
          return { to: `/invoices/${made.id}` }
        }}
      />
      {isFixed ? (
        <Note kind="hold" bar>
          <p>{t('acq.invoiceFixed')}</p>
        </Note>
      ) : null}
    </>
  )
}

/** A flag that was never touched is off; prorated ones are paid by the funds of the lines. */
const wiredAdjustment = ({ fundDistributions = [], ...rest }: Adjustment): Adjustment => ({
  ...rest,
  exportToAccounting: Boolean(rest.exportToAccounting),
  fundDistributions:
    rest.prorate === 'Not prorated' ? fundDistributions.filter((one) => one.fundId) : [],
})
