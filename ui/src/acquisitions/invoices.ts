// Invoices and their lines; an act sends the invoice as it is now with another status.
import { queryOptions } from '@tanstack/react-query'
import { get, put } from '#/api/client'
import { queryClient } from '#/api/query'
import { selfQuery } from '#/api/self'
import { PRESETS, presetOf } from './presets'
import { changed, equals, ofQuery, recordQuery } from './queries'
import type { Adjustment, Invoice, InvoiceLine, OrderLine, Voucher, VoucherLine } from './types'

export const INVOICES = '/invoice/invoices'
export const INVOICE_LINES = '/invoice/invoice-lines'

export const invoiceQuery = (id: string) => recordQuery<Invoice>(INVOICES, id)
export const invoiceLinesQuery = (id: string) =>
  ofQuery<InvoiceLine>(INVOICE_LINES, 'invoiceLines', equals('invoiceId', id))
export const voucherQuery = (invoiceId: string) =>
  ofQuery<Voucher>('/voucher/vouchers', 'vouchers', equals('invoiceId', invoiceId))
export const voucherLinesQuery = (voucherId: string) =>
  ofQuery<VoucherLine>('/voucher/voucher-lines', 'voucherLines', equals('voucherId', voucherId))

export async function changeInvoice(id: string, patch: Partial<Invoice>) {
  const invoice = await get<Invoice>(`${INVOICES}/${id}`)
  await put(`${INVOICES}/${id}`, { ...invoice, ...patch })
  await changed()
}

/** What is proposed to be invoiced of an order line: all of it, by the funds that encumbered it. */
export function proposedLine(invoiceId: string, line: OrderLine): Omit<InvoiceLine, 'id'> {
  const { cost, fundDistribution = [], vendorDetail } = line
  return {
    invoiceId,
    poLineId: line.id,
    description: line.titleOrPackage,
    invoiceLineStatus: 'Open',
    quantity: (cost.quantityPhysical ?? 0) + (cost.quantityElectronic ?? 0) || 1,
    subTotal: cost.poLineEstimatedPrice ?? 0,
    // An ongoing line is paid again next year: its encumbrance stays.
    releaseEncumbrance: line.paymentStatus !== 'Ongoing',
    fundDistributions: fundDistribution.map((share) => ({ ...share })),
    ...(vendorDetail?.vendorAccount ? { accountNumber: vendorDetail.vendorAccount } : {}),
  }
}

const OVER = new Set(['Cancelled', 'Fully Paid', 'Payment Not Required'])
export const isPayable = ({ paymentStatus }: OrderLine): boolean => !OVER.has(paymentStatus ?? '')

/** Adjustments that the library has prepared; some come with each new invoice. */
export type Preset = Adjustment & { id: string; alwaysShow?: boolean }
export const presetsQuery = queryOptions({
  queryKey: ['acq', 'presets'],
  queryFn: async ({ signal }) => {
    const { configs } = await get<{ configs: Record<string, unknown>[] }>(
      '/configurations/entries',
      { query: PRESETS, limit: 200 },
      signal,
    )
    return configs
      .map((one) => presetOf(one) as unknown as Preset)
      .toSorted((a, b) => (a.description ?? '').localeCompare(b.description ?? ''))
  },
})

/** For the form's loader. Who may not read settings makes invoices without them. */
export async function loadPresets() {
  const { permissions } = await queryClient.ensureQueryData(selfQuery)
  if (permissions.has('configuration.entries.collection.get'))
    await queryClient.fetchQuery({ ...presetsQuery, staleTime: 0 })
}

/** The adjustment of an invoice that a preset begins. */
export const adjustmentOf = (preset: Preset): Adjustment => ({
  description: preset.description,
  type: preset.type,
  value: preset.value ?? 0,
  prorate: preset.prorate,
  relationToTotal: preset.relationToTotal,
  exportToAccounting: preset.exportToAccounting,
})
