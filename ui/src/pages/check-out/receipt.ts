// The receipt of a session: titles, barcodes, due dates. Values are set as text.
import type { User } from '#/api/types'
import type { Scan } from '#/desk/types'
import type { Text } from '#/i18n/text'
import type { Formats } from '#/lib/format'

export function receiptElement(
  lent: readonly Scan[],
  user: User | undefined,
  t: Text,
  formats: Formats,
): HTMLElement {
  const receipt = document.createElement('section')
  receipt.className = 'receipt'
  const line = (className: string, text: string, parent: HTMLElement = receipt) => {
    const paragraph = document.createElement('p')
    paragraph.className = className
    paragraph.dir = 'auto'
    paragraph.textContent = text
    parent.append(paragraph)
  }
  line('slip-title', t('checkout.receipt'))
  // The card's last figures only: receipts are left lying about.
  line(
    'slip-small',
    [user?.barcode ? `…${user.barcode.slice(-4)}` : '', formats.dayTime(Date.now())]
      .filter(Boolean)
      .join(' · '),
  )
  const list = document.createElement('ol')
  for (const scan of lent.toReversed()) {
    const item = document.createElement('li')
    line('slip-line', scan.item?.title ?? scan.barcode, item)
    line('slip-small', scan.barcode, item)
    if (scan.outcome?.dueDate)
      line('slip-title', t('desk.due', { date: formats.dayTime(scan.outcome.dueDate) }), item)
    list.append(item)
  }
  receipt.append(list)
  return receipt
}
