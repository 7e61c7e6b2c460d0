// A library card to print: whose it is, and the barcode as bars and figures. Values are set as text.
import { barcodeImage } from '#/desk/barcode'
import { fullName } from '#/lib/names'
import type { Patron } from '../types'

export async function cardElement(user: Patron, library: string): Promise<HTMLElement> {
  const card = document.createElement('section')
  card.className = 'library-card'
  const line = (className: string, text: string | undefined) => {
    if (!text) return
    const paragraph = document.createElement('p')
    paragraph.className = className
    paragraph.dir = 'auto'
    paragraph.textContent = text
    card.append(paragraph)
  }
  line('slip-small', library)
  line('slip-title', fullName(user.personal ?? {}) || user.username)
  const bars = await barcodeImage(user.barcode ?? '')
  if (bars) card.append(bars)
  line('slip-line', user.barcode)
  return card
}
