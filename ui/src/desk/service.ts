// The desk as the pages use it: one request a scan to Octavo's own routes, or FOLIO's published routes
// where the server has no others. The shape of Octavo's routes stands in this file only:
//
//   POST /_/octavo/desk/check-in  {itemBarcode, servicePointId, checkInDate?, answers, …}
//     → 200 {questions: […], item} or {outcome: <the answer of check-in-by-barcode>, owed}
//   POST /_/octavo/desk/check-out {itemBarcode, userBarcode, servicePointId, answers, …}
//     → 200 {questions: […], item} or {outcome: <loan>}
//     → 422 as FOLIO's, with the item beside the errors
//   GET /_/octavo/desk/patron?identifier=…&servicePointId=… → 200 the card; 404
import { get, post } from '#/api/client'
import { ApiFailure } from '#/api/errors'
import { featuresQuery } from '#/api/features'
import { queryClient } from '#/api/query'
import type { Loan, LoanItem, User } from '#/api/types'
import { plain } from '#/lib/plain'
import { checkedIn, checkedOut, factsOfLoan, refused } from './answered'
import type { CheckInAnswer } from './outcomes'
import { overrideBody } from './override'
import type { PatronCard } from './published/patron'
import type { Answered, Question, Scan } from './types'

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
  item?: LoanItem
  outcome?: T
  owed?: number
}

/** Another server's routes: nobody at a desk of Octavo loads them. */
const published = () => import('./published/desk')
const publishedPatron = () => import('./published/patron')

const hasDesk = async () => (await queryClient.ensureQueryData(featuresQuery)).desk

export async function checkIn(scan: Scan, place: Place): Promise<Answered> {
  return refused(async () => {
    if (!(await hasDesk())) return (await published()).checkIn(scan, place)
    const { amnesty, ignoreHolds, inHouse, backdate } = scan.modifiers ?? {}
    const answer = await post<DeskAnswer<CheckInAnswer>>('/_/octavo/desk/check-in', {
      id: scan.id,
      itemBarcode: scan.barcode,
      servicePointId: place.servicePointId,
      sessionId: place.sessionId,
      // When it was scanned, not when the queue came to it.
      checkInDate: backdate ?? new Date(scan.at).toISOString(),
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
    if (!(await hasDesk())) return (await published()).checkOut(scan, patron, place)
    const answer = await post<DeskAnswer<Loan>>('/_/octavo/desk/check-out', {
      itemBarcode: scan.barcode,
      userBarcode: patron.barcode,
      proxyUserBarcode: patron.proxyBarcode,
      servicePointId: place.servicePointId,
      sessionId: place.sessionId,
      id: scan.id,
      answers: scan.answers,
      ...overrideBody(scan.answers.override),
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
  return { state: 'question', questions, item: item && factsOfLoan(item) }
}

interface CardAnswer extends Omit<Partial<PatronCard>, 'notes'> {
  user: User
  blocks: string[]
  notes?: { title?: string; content?: string }[]
}

/** The card of the patron with this identifier; `known` is who was found already. Null when there is none. */
export async function cardOf(
  identifier: string,
  servicePointId: string,
  known?: User,
): Promise<PatronCard | null> {
  if (!(await hasDesk())) {
    const { findPatron, patronCard } = await publishedPatron()
    const user = known ?? (await findPatron(identifier))
    return user ? patronCard(user, servicePointId) : null
  }
  try {
    const query = { identifier, servicePointId }
    const found = await get<CardAnswer>('/_/octavo/desk/patron', query)
    return {
      user: found.user,
      group: found.group,
      openLoans: found.openLoans ?? 0,
      owed: found.owed ?? 0,
      openRequests: found.openRequests ?? 0,
      blocks: found.blocks,
      waiting: found.waiting ?? [],
      notes: (found.notes ?? []).map(({ title, content }) => ({
        title,
        text: plain(content ?? ''),
      })),
      sponsors: found.sponsors ?? [],
    }
  } catch (error) {
    if (
      error instanceof ApiFailure &&
      error.failure.kind === 'fault' &&
      error.failure.status === 404
    )
      return null
    throw error
  }
}
