// Check-in and check-out by FOLIO's published routes: three requests a scan instead of one.
import { post } from '#/api/client'
import type { Loan } from '#/api/types'
import { checkedIn, checkedOut, factsOf, refused } from '../answered'
import type { CheckInAnswer } from '../outcomes'
import { overrideBody } from '../override'
import { questionsOf } from '../questions'
import type { Patron, Place } from '../service'
import type { Answered, Scan } from '../types'
import { claimOf, itemOf, owedFor } from './item'

const NO_ITEM: Answered = {
  state: 'refused',
  questions: [],
  refusal: { reason: 'desk.refused.noItem', detail: '' },
}

export async function checkIn(scan: Scan, place: Place): Promise<Answered> {
  const { answers, modifiers } = scan
  const item = await itemOf(scan.barcode)
  if (!item) return NO_ITEM
  const claim = item.status.name === 'Claimed returned' ? await claimOf(item.id) : undefined
  const questions = questionsOf(item, 'Check in', answers, claim)
  if (questions.length) return { state: 'question', questions, item: factsOf(item) }
  if (modifiers?.inHouse && item.status.name !== 'Available') {
    return {
      state: 'refused',
      questions: [],
      item: factsOf(item),
      refusal: { reason: 'desk.refused.notInHouse', detail: item.status.name },
    }
  }
  const answer = await post<CheckInAnswer>('/circulation/check-in-by-barcode', {
    itemBarcode: scan.barcode,
    servicePointId: place.servicePointId,
    checkInDate: modifiers?.backdate ?? new Date(scan.at).toISOString(),
    sessionId: place.sessionId,
    claimedReturnedResolution: answers.claimedReturned,
  })
  return checkedIn(answer, answer.loan ? await owedFor(answer.loan.id) : 0)
}

export async function checkOut(scan: Scan, patron: Patron, place: Place): Promise<Answered> {
  const item = await itemOf(scan.barcode)
  if (!item) return NO_ITEM
  const questions = questionsOf(item, 'Check out', scan.answers)
  const facts = factsOf(item)
  if (questions.length) return { state: 'question', questions, item: facts }
  const lent = async () =>
    checkedOut(
      await post<Loan>('/circulation/check-out-by-barcode', {
        itemBarcode: scan.barcode,
        userBarcode: patron.barcode,
        proxyUserBarcode: patron.proxyBarcode,
        servicePointId: place.servicePointId,
        sessionId: place.sessionId,
        ...overrideBody(scan.answers.override),
      }),
    )
  // Also a refused item has its title in the row.
  return { item: facts, ...(await refused(lent, scan)) }
}
