// The receipt of what was done with fees: what for, how, how much, what is left. Values are set as text.
import type { Text } from '#/i18n/text'
import type { Formats } from '#/lib/format'
import { hundredths } from './acts'
import type { Account, FeeAction } from './types'
import { actionWord } from './words'

interface Receipt {
  accounts: readonly Account[]
  actions: readonly FeeAction[]
  /** The card of the patron. */
  barcode: string | undefined
  desk: string | undefined
}

export function receiptElement(
  { accounts, actions, barcode, desk }: Receipt,
  t: Text,
  { money, dayTime }: Formats,
): HTMLElement {
  const receipt = document.createElement('section')
  receipt.className = 'receipt'
  const line = (className: string, text: string, parent: HTMLElement = receipt) => {
    if (!text) return
    const paragraph = document.createElement('p')
    paragraph.className = className
    paragraph.dir = 'auto'
    paragraph.textContent = text
    parent.append(paragraph)
  }
  const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' · ')
  line('slip-title', t('fees.receipt'))
  // The card's last figures only: receipts are left lying about.
  line('slip-small', joined(barcode && `…${barcode.slice(-4)}`, dayTime(Date.now()), desk))
  const list = document.createElement('ol')
  for (const action of actions) {
    const account = accounts.find((one) => one.id === action.accountId)
    const item = document.createElement('li')
    line('slip-line', joined(account?.feeFineType, account?.title), item)
    const amount = action.amountAction === undefined ? '' : money(action.amountAction)
    line('slip-title', joined(actionWord(action.typeAction, t), amount), item)
    const number = action.transactionInformation
    line('slip-small', joined(action.paymentMethod, number === '-' ? '' : number), item)
    const left = action.balance === undefined ? '' : `${t('fees.left')} ${money(action.balance)}`
    line('slip-small', joined(left, action.dateAction && dayTime(action.dateAction)), item)
    list.append(item)
  }
  receipt.append(list)
  if (actions.length > 1) {
    const sum = actions.reduce((total, one) => total + hundredths(one.amountAction ?? 0), 0) / 100
    line('slip-title', `${t('fees.sum')} ${money(sum)}`)
  }
  return receipt
}
