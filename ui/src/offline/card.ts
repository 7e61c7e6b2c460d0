// Without the server nothing says whether a barcode is a patron's card or an item. The first scan is a
// card. Later ones are cards when they look like the cards seen here and like none of the items: the same
// length and the same first figures.
const START = 3

const shapeOf = (barcode: string) => `${barcode.length}:${barcode.slice(0, START)}`

export function isCard(
  barcode: string,
  known: { cards: readonly string[]; items: readonly string[] },
): boolean {
  if (known.cards.includes(barcode)) return true
  const shape = shapeOf(barcode)
  return (
    barcode.length > START &&
    known.cards.some((one) => shapeOf(one) === shape) &&
    !known.items.some((one) => shapeOf(one) === shape)
  )
}
