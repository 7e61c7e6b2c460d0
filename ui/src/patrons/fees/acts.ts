// What is done with fees, by FOLIO's published routes. Amounts are texts with two places, never binary fractions.
import { post } from '#/api/client'
import type { Account, FeeAct, FeeAction } from './types'

export interface ActBody {
  amount: string
  method: string
  comments: string
  transactionInfo: string
  notifyPatron: boolean
  servicePointId: string
  userName: string
}

/** The actions that follow, for the receipt. */
export async function actOnFees(
  act: FeeAct,
  accounts: readonly Account[],
  body: ActBody,
): Promise<readonly FeeAction[]> {
  const { amount, method, comments, transactionInfo, notifyPatron, servicePointId, userName } = body
  const common = {
    ...(comments ? { comments } : {}),
    notifyPatron,
    servicePointId,
    userName,
  }
  const own =
    act === 'cancel'
      ? common
      : {
          ...common,
          amount,
          paymentMethod: method,
          ...(transactionInfo ? { transactionInfo } : {}),
        }
  const [only] = accounts
  const accountIds = accounts.map((one) => one.id)
  const [path, sent] =
    accounts.length === 1 && only
      ? [`/accounts/${only.id}/${act}`, own]
      : [`/accounts-bulk/${act}`, { ...own, comments, accountIds }]
  const answer = await post<{ feefineactions?: FeeAction[] } | undefined>(path, sent)
  return answer?.feefineactions ?? []
}

/** In hundredths, so that sums are exact. */
export const hundredths = (amount: number): number => Math.round(amount * 100)
export const sumOf = (accounts: readonly Account[], of: 'amount' | 'remaining'): number =>
  accounts.reduce((sum, one) => sum + hundredths(one[of]), 0) / 100

/** What was paid or transferred and not refunded yet: what was waived is no money that could go back. */
export function refundable(actions: readonly FeeAction[]): number {
  const sum = (pattern: RegExp) =>
    actions
      .filter((one) => pattern.test(one.typeAction ?? ''))
      .reduce((total, one) => total + hundredths(one.amountAction ?? 0), 0)
  return Math.max(0, sum(/^(Paid|Transferred)/) - sum(/^Refunded/)) / 100
}

/** What was typed as an amount, in the server's form; undefined for what is none. */
export function amountOf(typed: string): string | undefined {
  const text = typed.trim().replace(/\s/g, '').replace(',', '.')
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text) || Number(text) <= 0) return undefined
  return Number(text).toFixed(2)
}

export const isSuspended = (account: Account): boolean =>
  account.paymentStatus?.name === 'Suspended claim returned'

/** What may be done with these fees together. */
export function possible(accounts: readonly Account[], act: FeeAct): boolean {
  if (!accounts.length) return false
  if (act === 'refund')
    return accounts.every(
      (one) =>
        hundredths(one.amount) > 0 &&
        /Paid|Transferred|Refunded/.test(one.paymentStatus?.name ?? ''),
    )
  return accounts.every((one) => one.status.name === 'Open')
}

export interface Charge {
  userId: string
  ownerId: string
  owner: string
  typeId: string
  type: string
  amount: string
  comments: string
  notify: boolean
  servicePointId: string
  source: string
  item?: { id: string; title?: string; barcode?: string; materialTypeId?: string }
}

/** A new charge: the account, then its first action, as FOLIO's clients write them. */
export async function charge(one: Charge): Promise<string> {
  const id = crypto.randomUUID()
  const amount = Number(one.amount)
  await post('/accounts', {
    id,
    userId: one.userId,
    ownerId: one.ownerId,
    feeFineOwner: one.owner,
    feeFineId: one.typeId,
    feeFineType: one.type,
    amount,
    remaining: amount,
    status: { name: 'Open' },
    paymentStatus: { name: 'Outstanding' },
    ...(one.item
      ? {
          itemId: one.item.id,
          title: one.item.title,
          barcode: one.item.barcode,
          materialTypeId: one.item.materialTypeId,
        }
      : {}),
  })
  await post('/feefineactions', {
    accountId: id,
    userId: one.userId,
    amountAction: amount,
    balance: amount,
    dateAction: new Date().toISOString(),
    typeAction: one.type,
    comments: one.comments ? `STAFF : ${one.comments}` : undefined,
    notify: one.notify,
    createdAt: one.servicePointId,
    source: one.source,
    transactionInformation: '-',
  })
  return id
}
