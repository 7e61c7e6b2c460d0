// What is done with loans, by FOLIO's published routes; and refusals in words.
import { post } from '#/api/client'
import { type Failure, type FolioError, failureOf } from '#/api/errors'
import type { TextId } from '#/i18n/text'
import type { PatronLoan } from './types'

export interface Override {
  blocks: readonly string[]
  comment: string
  dueDate?: string
}

export async function renew(
  loan: PatronLoan,
  userBarcode: string | undefined,
  servicePointId: string | undefined,
  override?: Override,
): Promise<PatronLoan> {
  const itemBarcode = loan.item?.barcode
  // An override is possible by barcodes only.
  if (!itemBarcode || !userBarcode) {
    const body = { itemId: loan.itemId, userId: loan.userId }
    return post<PatronLoan>('/circulation/renew-by-id', body)
  }
  return post<PatronLoan>('/circulation/renew-by-barcode', {
    itemBarcode,
    userBarcode,
    ...(servicePointId ? { servicePointId } : {}),
    ...(override ? { overrideBlocks: overrideBlocks(override) } : {}),
  })
}

export function overrideBlocks({ blocks, comment, dueDate }: Override): Record<string, unknown> {
  const lifted = blocks.map((name) => [
    name,
    name === 'renewalDueDateRequiredBlock' && dueDate ? { dueDate } : {},
  ])
  return { ...Object.fromEntries(lifted), comment }
}

export const changeDueDate = (loan: PatronLoan, dueDate: string) =>
  post(`/circulation/loans/${loan.id}/change-due-date`, { dueDate })

export const claimReturned = (loan: PatronLoan, at: string, comment: string) =>
  post(`/circulation/loans/${loan.id}/claim-item-returned`, {
    itemClaimedReturnedDateTime: at,
    ...(comment ? { comment } : {}),
  })

export const declareLost = (loan: PatronLoan, servicePointId: string, comment: string) =>
  post(`/circulation/loans/${loan.id}/declare-item-lost`, {
    declaredLostDateTime: new Date().toISOString(),
    servicePointId,
    ...(comment ? { comment } : {}),
  })

export const declareMissing = (loan: PatronLoan, comment: string) =>
  post(`/circulation/loans/${loan.id}/declare-claimed-returned-item-as-missing`, { comment })

export const addInfo = (
  loan: PatronLoan,
  action: 'patronInfoAdded' | 'staffInfoAdded',
  text: string,
) => post(`/circulation/loans/${loan.id}/add-info`, { action, actionComment: text })

const REFUSALS: readonly [RegExp, TextId][] = [
  [/maximum renewal number/, 'loans.refused.maximum'],
  [/loan is not renewable/, 'loans.refused.notRenewable'],
  [/item is not loanable/i, 'loans.refused.notLoanable'],
  [/would not change the due date/, 'loans.refused.sameDate'],
  [/pending hold request/, 'loans.refused.hold'],
  [/active recall request/, 'loans.refused.recall'],
  [/date ranges/, 'loans.refused.ranges'],
  [/Patron blocked|blocked|has reached|exceed/i, 'loans.refused.blocked'],
  [/item is (Declared lost|Aged to lost|Claimed returned)/i, 'loans.refused.status'],
]

export interface Refused {
  reasons: TextId[]
  /** What is not known here, in the server's words. */
  detail: string
  blocks: string[]
  missing: string[]
}

export function refusedOf(error: unknown): Refused {
  const failure: Failure = failureOf(error)
  if (failure.kind !== 'refused') {
    return {
      reasons: [`shell.failure.${failure.kind}`],
      detail: failure.kind === 'fault' ? failure.text : '',
      blocks: [],
      missing: [],
    }
  }
  const { errors } = failure
  const reasonOf = ({ message }: FolioError) =>
    REFUSALS.find(([pattern]) => pattern.test(message))?.[1]
  const unknown = errors.filter((one) => !reasonOf(one)).map((one) => one.message)
  const blocks = errors.map((one) => one.overridableBlock?.name)
  return {
    reasons: [...new Set(errors.map(reasonOf).filter((one) => one !== undefined))],
    detail: unknown.join(' '),
    // An override helps only where it lifts everything.
    blocks: blocks.every(Boolean) ? [...new Set(blocks.filter((one) => one !== undefined))] : [],
    missing: [...new Set(errors.flatMap((one) => one.overridableBlock?.missingPermissions ?? []))],
  }
}
