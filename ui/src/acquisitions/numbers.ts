// The number of an order between its prefix and its suffix, which are parts of it.
import type { Order } from './types'

const bare = (number: string, { poNumberPrefix = '', poNumberSuffix = '' }: Partial<Order>) => {
  const end = number.length - poNumberSuffix.length
  const from = number.startsWith(poNumberPrefix) ? poNumberPrefix.length : 0
  return number.endsWith(poNumberSuffix) ? number.slice(from, end) : number.slice(from)
}

/** The order with its number as the server wants it. Without a number the server makes one, with both. */
export function numbered(next: Order, before: Order | undefined): Order {
  if (!next.poNumber) return next
  const { poNumberPrefix = '', poNumberSuffix = '' } = next
  // What was typed may have them already: those of before, or the new ones.
  const typed = before?.poNumber === next.poNumber ? bare(next.poNumber, before) : next.poNumber
  return { ...next, poNumber: poNumberPrefix + bare(typed, next) + poNumberSuffix }
}
