// Prints the receipt of actions on fees.
import { printElements } from '#/desk/print'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { useFormats } from '#/lib/format'
import { receiptElement } from './receipt'
import type { Account, FeeAction } from './types'

export function useReceipt(barcode: string | undefined) {
  const t = useText()
  const formats = useFormats()
  const desk = useDesk()?.name
  return (accounts: readonly Account[], actions: readonly FeeAction[]) =>
    printElements([receiptElement({ accounts, actions, barcode, desk }, t, formats)])
}
