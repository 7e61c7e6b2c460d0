// Turns the server's answers, good and bad, into what a row shows. Pure but for `refused`, which waits.
import { ApiFailure, type FolioError } from '#/api/errors'
import type { Item, Loan, LoanItem } from '#/api/types'
import { type CheckInAnswer, outcomeOf, slipOf } from './outcomes'
import { refusalOf } from './refusals'
import type { Answered, BlockName, ItemFacts, Scan } from './types'

const BLOCKS: readonly BlockName[] = ['patronBlock', 'itemLimitBlock', 'itemNotLoanableBlock']

export function factsOf(item: Item): ItemFacts {
  const { callNumber, prefix, suffix } = item.effectiveCallNumberComponents ?? {}
  return {
    id: item.id,
    holdingsRecordId: item.holdingsRecordId,
    title: item.title ?? '',
    shelfMark:
      [prefix, callNumber ?? item.callNumber, suffix].filter(Boolean).join(' ') || undefined,
    material: item.materialType?.name,
    location: item.effectiveLocation?.name,
    contributor: item.contributorNames?.[0]?.name,
  }
}

export function factsOfLoan(item: LoanItem): ItemFacts {
  const { callNumber, prefix, suffix } = item.callNumberComponents ?? {}
  return {
    id: item.id,
    instanceId: item.instanceId,
    holdingsRecordId: item.holdingsRecordId,
    title: item.title ?? '',
    shelfMark:
      [prefix, callNumber ?? item.callNumber, suffix].filter(Boolean).join(' ') || undefined,
    material: item.materialType?.name,
    location: item.location?.name,
    contributor: item.primaryContributor,
  }
}

export function checkedIn(answer: CheckInAnswer, owed: number): Answered {
  return {
    state: 'done',
    questions: [],
    item: factsOfLoan(answer.item),
    outcome: outcomeOf(answer, owed),
    owed,
    slip: slipOf(answer),
    loanId: answer.loan?.id,
    patronId: answer.loan?.userId,
  }
}

export function checkedOut(loan: Loan): Answered {
  return {
    state: 'done',
    questions: [],
    item: factsOfLoan(loan.item ?? {}),
    loanId: loan.id,
    patronId: loan.userId,
    owed: loan.feesAndFines?.amountRemainingToPay,
    outcome: {
      kind: 'ok',
      icon: 'check',
      word: 'desk.due',
      dueDate: loan.dueDate,
      policy: loan.loanPolicy?.name,
      tone: 'ok',
    },
  }
}

/** Runs an act; a refusal becomes a row, or a question where staff may override it. */
export async function refused(act: () => Promise<Answered>, scan?: Scan): Promise<Answered> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.failure.kind !== 'refused') throw error
    const { errors, item } = error.failure
    const override = scan && overrideOf(errors, scan)
    const facts = item ? { item: factsOfLoan(item) } : {}
    return {
      ...facts,
      ...(override ?? { state: 'refused', questions: [], refusal: refusalOf(errors) }),
    }
  }
}

function overrideOf(errors: readonly FolioError[], scan: Scan): Answered | undefined {
  const blocks = errors.map((one) => one.overridableBlock)
  // One reason that cannot be overridden is enough to refuse.
  if (!blocks.length || blocks.some((one) => !one || !BLOCKS.includes(one.name as BlockName)))
    return undefined
  const names = blocks.map((one) => one?.name as BlockName)
  // The override was tried and is refused again: asking once more would go round in circles.
  if (names.every((name) => scan.answers.override?.blocks.includes(name))) return undefined
  return {
    state: 'question',
    questions: [
      {
        kind: 'override',
        blocks: [...new Set([...names, ...(scan.answers.override?.blocks ?? [])])],
        reasons: errors.map(
          (one) => one.parameters.find(({ key }) => key === 'reason')?.value ?? one.message,
        ),
        missing: [...new Set(blocks.flatMap((one) => one?.missingPermissions ?? []))],
      },
    ],
    refusal: refusalOf(errors),
  }
}
