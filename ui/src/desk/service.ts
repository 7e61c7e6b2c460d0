// The desk as the pages use it: one request a scan to Octavo's own routes, or FOLIO's published routes
// where the server has no others. The shape of Octavo's routes stands in this file only:
//
//   POST /_/octavo/desk/check-in  {itemBarcode, servicePointId, checkInDate?, answers, …}
//     → 200 {questions: […]} or {outcome: <the answer of check-in-by-barcode>, owed?}; 422 as FOLIO's
//   POST /_/octavo/desk/check-out {itemBarcode, userBarcode, servicePointId, answers, …}
//     → 200 {questions: […]} or {outcome: <loan>}
import { post } from '#/api/client'
import { ApiFailure } from '#/api/errors'
import { featuresQuery } from '#/api/features'
import { queryClient } from '#/api/query'
import type { Loan } from '#/api/types'
import { checkedIn, checkedOut, refused } from './answered'
import type { CheckInAnswer } from './outcomes'
import * as published from './published/desk'
import type { Answered, ItemFacts, Question, Scan } from './types'

export interface Place {
  servicePointId: string
  sessionId: string
}

export interface Patron {
  barcode: string
  /** Who stands at the desk for the patron. */
  proxyBarcode?: string
}

interface DeskAnswer<T> {
  questions?: Question[]
  item?: ItemFacts
  outcome?: T
  owed?: number
}

const hasDesk = async () => (await queryClient.ensureQueryData(featuresQuery)).desk

export async function checkIn(scan: Scan, place: Place): Promise<Answered> {
  return refused(async () => {
    if (!(await hasDesk())) return published.checkIn(scan, place)
    const { amnesty, ignoreHolds, inHouse, backdate } = scan.modifiers ?? {}
    const answer = await post<DeskAnswer<CheckInAnswer>>('/_/octavo/desk/check-in', {
      itemBarcode: scan.barcode,
      servicePointId: place.servicePointId,
      checkInDate: backdate,
      claimedReturnedResolution: scan.answers.claimedReturned,
      answers: scan.answers,
      ...(amnesty ? { amnesty } : {}),
      ...(ignoreHolds ? { ignoreHolds } : {}),
      ...(inHouse ? { inHouseUse: inHouse } : {}),
    })
    if (!answer.outcome) return asked(answer)
    return checkedIn(answer.outcome, answer.owed ?? 0)
  })
}

export async function checkOut(scan: Scan, patron: Patron, place: Place): Promise<Answered> {
  return refused(async () => {
    if (!(await hasDesk())) return published.checkOut(scan, patron, place)
    const answer = await post<DeskAnswer<Loan>>('/_/octavo/desk/check-out', {
      itemBarcode: scan.barcode,
      userBarcode: patron.barcode,
      proxyUserBarcode: patron.proxyBarcode,
      servicePointId: place.servicePointId,
      answers: scan.answers,
      ...published.overrideBody(scan.answers.override),
    })
    if (!answer.outcome) return asked(answer)
    return checkedOut(answer.outcome)
  }, scan)
}

function asked({ questions, item }: DeskAnswer<unknown>): Answered {
  if (!questions?.length) {
    throw new ApiFailure({
      kind: 'fault',
      status: 200,
      text: 'The answer has neither outcome nor questions.',
    })
  }
  return { state: 'question', questions, item }
}
