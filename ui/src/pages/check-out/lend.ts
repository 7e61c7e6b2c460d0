// What a scan means at check-out: a patron's card while nobody stands at the desk, else an item, else the
// next patron's card. All scans go through one queue, so items scanned at once after the card are lent to
// its owner.
import { queryClient } from '#/api/query'
import { findPatron } from '#/desk/published/patron'
import { checkOut, type Place } from '#/desk/service'
import type { DeskSession } from '#/desk/session'
import type { Answered, Scan } from '#/desk/types'

export async function lend(
  scan: Scan,
  session: DeskSession,
  place: Place,
  onLeft: (barcode: string) => void,
): Promise<Answered> {
  // A question that is answered belongs to the patron it was asked for.
  const patron = scan.patronBarcode ?? session.snapshot().patron
  if (!patron) {
    const found = await barcodeOf(scan.barcode)
    if (!found)
      return { state: 'refused', refusal: { reason: 'desk.refused.noPatronFirst', detail: '' } }
    session.nextPatron(found)
    return { state: 'done', isCard: true }
  }
  const proxy = scan.proxyBarcode
  const answer = await checkOut(
    scan,
    proxy ? { barcode: proxy, proxyBarcode: patron } : { barcode: patron },
    place,
  )
  const isUnknown = answer.state === 'refused' && answer.refusal?.reason === 'desk.refused.noItem'
  const next = isUnknown ? await barcodeOf(scan.barcode) : undefined
  if (next) {
    if (next !== patron) onLeft(patron)
    session.nextPatron(next)
    return { state: 'done', isCard: true }
  }
  return { ...answer, patronBarcode: patron }
}

/** The barcode of the patron with this identifier. */
async function barcodeOf(identifier: string): Promise<string | undefined> {
  const user = await findPatron(identifier)
  if (!user?.barcode) return undefined
  queryClient.setQueryData(['patron', user.barcode], user)
  return user.barcode
}
