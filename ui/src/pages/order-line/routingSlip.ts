// A routing list as it is put on the piece: who reads it in which order. Values are set as text.
import type { RoutingList } from '#/acquisitions/types'

export function routingSlip(
  title: string,
  { name, notes }: RoutingList,
  readers: readonly string[],
): HTMLElement {
  const slip = document.createElement('section')
  slip.className = 'receipt'
  const line = (className: string, text: string | undefined) => {
    if (!text) return
    const paragraph = document.createElement('p')
    paragraph.className = className
    paragraph.dir = 'auto'
    paragraph.textContent = text
    slip.append(paragraph)
  }
  line('slip-title', name)
  line('slip-line', title)
  line('slip-small', notes)
  const list = document.createElement('ol')
  for (const reader of readers) {
    const item = document.createElement('li')
    item.dir = 'auto'
    item.textContent = reader
    list.append(item)
  }
  slip.append(list)
  return slip
}
