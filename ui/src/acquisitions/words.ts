// FOLIO's fixed values in words, and their kind of outcome.
import { useMemo } from 'react'
import { type TextId, useText } from '#/i18n/text'
import type { IconName } from '#/ui/Icon'
import type { Kind } from '#/ui/kinds'

export const ORGANIZATION = ['Active', 'Inactive', 'Pending'] as const
export const FUND = ['Active', 'Frozen', 'Inactive'] as const
export const BUDGET = ['Active', 'Frozen', 'Inactive', 'Planned', 'Closed'] as const
export const ORDER = ['Pending', 'Open', 'Closed'] as const
export const ORDER_TYPE = ['One-Time', 'Ongoing'] as const
export const FORMAT = ['Physical Resource', 'Electronic Resource', 'P/E Mix', 'Other'] as const
export const INVENTORY = [
  'Instance, Holding, Item',
  'Instance, Holding',
  'Instance',
  'None',
] as const
export const PAYMENT = [
  'Pending',
  'Awaiting Payment',
  'Partially Paid',
  'Fully Paid',
  'Payment Not Required',
  'Ongoing',
  'Cancelled',
] as const
export const RECEIPT = [
  'Pending',
  'Awaiting Receipt',
  'Partially Received',
  'Fully Received',
  'Receipt Not Required',
  'Ongoing',
  'Cancelled',
] as const
export const PIECE = ['Physical', 'Electronic', 'Other'] as const
export const STATUS = ['Expected', 'Late', 'Claim delayed', 'Claim sent', 'Unreceivable'] as const
export const REFERENCE = [
  'Vendor order reference number',
  'Vendor title number',
  'Vendor internal number',
  'Vendor continuation reference number',
  'Vendor subscription reference number',
] as const
export const INVOICE = ['Open', 'Reviewed', 'Approved', 'Paid', 'Cancelled'] as const
export const METHOD = [
  'Cash',
  'Credit Card',
  'EFT',
  'Deposit Account',
  'Physical Check',
  'Bank Draft',
  'Internal Transfer',
  'Other',
] as const
export const PRORATE = ['Not prorated', 'By line', 'By amount', 'By quantity'] as const
export const RELATION = ['In addition to', 'Included in', 'Separate from'] as const
export const TRANSACTION = [
  'Allocation',
  'Transfer',
  'Encumbrance',
  'Pending payment',
  'Payment',
  'Credit',
  'Rollover transfer',
] as const
const ROLLOVER = ['Not Started', 'In Progress', 'Success', 'Error'] as const
const ALLOCATIONS = ['IN_PROGRESS', 'COMPLETED', 'ERROR'] as const
const EXPORT = ['Pending', 'Generated', 'Uploaded', 'Error'] as const
export const INTERFACE = ['Admin', 'End user', 'Reports', 'Orders', 'Invoices', 'Other'] as const
export const DELIVERY = ['Online', 'FTP', 'Email', 'Other'] as const
export const PHONE = ['Office', 'Mobile', 'Fax', 'Other'] as const
const OF_MONEY = [
  'Preview',
  'Commit',
  'Rollback',
  'Payment',
  'Pre-payment',
  'One-time',
  'Ongoing-Subscription',
  'SFTP',
  'Application/json',
  'Application/xml',
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const
const OTHERS = [
  'Received',
  'Expected',
  'Late',
  'Claim delayed',
  'Claim sent',
  'Unreceivable',
  'Awaiting payment',
  'Percentage',
  'Amount',
  'percentage',
  'amount',
  'Released',
  'Unreleased',
  'Error',
  'Voucher',
  'Online',
  'FTP',
  'Email',
] as const

const KNOWN: ReadonlySet<string> = new Set(
  [
    ORGANIZATION,
    BUDGET,
    ORDER,
    ORDER_TYPE,
    FORMAT,
    INVENTORY,
    PAYMENT,
    RECEIPT,
    PIECE,
    INVOICE,
    METHOD,
    PRORATE,
    RELATION,
    TRANSACTION,
    ROLLOVER,
    ALLOCATIONS,
    EXPORT,
    INTERFACE,
    DELIVERY,
    PHONE,
    OF_MONEY,
    OTHERS,
  ].flat(),
)

/** A value in words; what a library has added, such as a reason, stays as it is. */
export function useWord(): (value: string | undefined) => string {
  const t = useText()
  return useMemo(
    () => (value) => {
      if (!value) return ''
      return KNOWN.has(value) ? t(`acq.value.${value}` as TextId) : value
    },
    [t],
  )
}

/** The same as choices of a form or values of a facet. */
export function useChoices() {
  const word = useWord()
  return useMemo(
    () => (values: readonly string[]) => values.map((value) => ({ value, text: word(value) })),
    [word],
  )
}

const OK: readonly [Kind, IconName] = ['ok', 'check']
const OFF: readonly [Kind, IconName] = ['offline', 'ban']
const WAITS: readonly [Kind, IconName] = ['hold', 'clock']
const LOOKS: Record<string, readonly [Kind, IconName]> = {
  Active: OK,
  Open: OK,
  Paid: OK,
  Received: OK,
  Success: OK,
  COMPLETED: OK,
  Uploaded: OK,
  Generated: OK,
  'Fully Received': OK,
  'Fully Paid': OK,
  Frozen: ['fee', 'lock'],
  Inactive: OFF,
  Closed: OFF,
  Cancelled: OFF,
  Unreceivable: OFF,
  Approved: ['transit', 'check'],
  'Partially Received': ['transit', 'clock'],
  'Partially Paid': ['transit', 'clock'],
  Late: ['fee', 'clock-alert'],
  'Claim sent': ['fee', 'clock-alert'],
  Error: ['blocked', 'octagon-x'],
  ERROR: ['blocked', 'octagon-x'],
}

export const lookOf = (value: string | undefined) => LOOKS[value ?? ''] ?? WAITS
