// Sends one kept scan, with the time at which it was made. The server does the act once for each id, so
// sending again after a lost answer is safe.
import { post } from '#/api/client'
import { ApiFailure } from '#/api/errors'
import { featuresQuery } from '#/api/features'
import { queryClient } from '#/api/query'
import type { Loan } from '#/api/types'
import { checkedIn, checkedOut, factsOfLoan, refused } from '#/desk/answered'
import type { CheckInAnswer } from '#/desk/outcomes'
import { overrideBody } from '#/desk/override'
import type { Answered, Question, Scan } from '#/desk/types'
import type { Entry, Result } from './types'

interface DeskAnswer {
  outcome?: unknown
  questions?: Question[]
  item?: Parameters<typeof factsOfLoan>[0]
  owed?: number
}

/** The item has left the house, or lies on the table: these questions come too late. */
const CONFIRMED = ['status', 'pieces', 'notes'] as const

/** Undefined when the server did not answer: the scan stays as it is. */
export async function send(entry: Entry, before: Result | undefined): Promise<Result | undefined> {
  const answers = { ...entry.answers, ...before?.answers, confirmed: [...CONFIRMED] }
  const scan: Scan = {
    id: entry.id,
    barcode: entry.itemBarcode,
    at: entry.at,
    state: 'asking',
    answers,
    questions: [],
  }
  const settled = (answer: Answered): Result => ({
    id: entry.id,
    at: Date.now(),
    answers,
    state: answer.state === 'done' ? 'accepted' : 'refused',
    item: answer.item,
    outcome: answer.outcome,
    refusal: answer.refusal,
    question: answer.questions?.[0],
  })
  try {
    const act = entry.kind === 'checkOut' ? lend : take
    return settled(await refused(() => act(entry, scan), scan))
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const { failure } = error
    switch (failure.kind) {
      case 'unreachable':
      case 'expired':
        return undefined
      case 'forbidden':
        return settled(no('desk.notAllowed', failure.permission ?? ''))
      default:
        return settled(no('desk.serverFault', 'text' in failure ? failure.text : ''))
    }
  }
}

const no = (reason: 'desk.notAllowed' | 'desk.serverFault', detail: string): Answered => ({
  state: 'refused',
  refusal: { reason, detail },
})

async function hasDesk(): Promise<boolean> {
  try {
    return (await queryClient.ensureQueryData(featuresQuery)).desk
  } catch {
    throw new ApiFailure({ kind: 'unreachable' })
  }
}

async function lend(entry: Entry, { answers }: Scan): Promise<Answered> {
  const body = {
    id: entry.id,
    itemBarcode: entry.itemBarcode,
    userBarcode: entry.userBarcode,
    proxyUserBarcode: entry.proxyBarcode,
    servicePointId: entry.desk.id,
    loanDate: new Date(entry.at).toISOString(),
    ...overrideBody(answers.override),
  }
  if (!(await hasDesk()))
    return checkedOut(await post<Loan>('/circulation/check-out-by-barcode', body))
  const answer = await post<DeskAnswer>('/_/octavo/desk/check-out', { ...body, answers })
  return answer.outcome ? checkedOut(answer.outcome as Loan) : asked(answer)
}

async function take(entry: Entry, { answers }: Scan): Promise<Answered> {
  const body = {
    itemBarcode: entry.itemBarcode,
    servicePointId: entry.desk.id,
    checkInDate: new Date(entry.at).toISOString(),
    claimedReturnedResolution: answers.claimedReturned,
  }
  if (!(await hasDesk()))
    return checkedIn(await post<CheckInAnswer>('/circulation/check-in-by-barcode', body), 0)
  const answer = await post<DeskAnswer>('/_/octavo/desk/check-in', {
    ...body,
    id: entry.id,
    answers,
    ...(entry.kind === 'inHouse' ? { inHouseUse: true } : {}),
  })
  return answer.outcome
    ? checkedIn(answer.outcome as CheckInAnswer, answer.owed ?? 0)
    : asked(answer)
}

const asked = ({ questions, item }: DeskAnswer): Answered => ({
  state: 'question',
  questions,
  item: item && factsOfLoan(item),
})
