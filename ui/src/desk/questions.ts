// Which questions an item raises before it is checked in or out. Pure: the published routes' fall-back
// asks them here; the desk endpoint asks them in the server.
import type { Item } from '#/api/types'
import type { Answers, Question } from './types'

/** Statuses of which staff should know before they go on (FOLIO's check-in and check-out ask for the same). */
const ODD = new Set([
  'Declared lost',
  'In process (non-requestable)',
  'Intellectual item',
  'Long missing',
  'Lost and paid',
  'Missing',
  'Restricted',
  'Unavailable',
  'Unknown',
  'Withdrawn',
])

export interface ClaimFacts {
  patron?: string
  since?: string
  owed?: number
}

export function questionsOf(
  item: Item,
  act: 'Check in' | 'Check out',
  answers: Answers,
  claim?: ClaimFacts,
): Question[] {
  const questions: Question[] = []
  const open = (kind: 'status' | 'pieces' | 'notes') => !answers.confirmed?.includes(kind)
  const status = item.status.name
  if (status === 'Claimed returned' && act === 'Check in' && !answers.claimedReturned) {
    questions.push({ kind: 'claimedReturned', ...claim })
  }
  if (ODD.has(status) && open('status')) {
    questions.push({ kind: 'status', status, suppressed: item.discoverySuppress === true })
  }
  if (hasPieces(item) && open('pieces')) {
    questions.push({
      kind: 'pieces',
      count: item.numberOfPieces,
      description: item.descriptionOfPieces,
      missing: item.numberOfMissingPieces,
      missingWhat: item.missingPieces,
    })
  }
  const notes = (item.circulationNotes ?? []).filter((one) => one.noteType === act)
  if (notes.length && open('notes')) {
    questions.push({ kind: 'notes', notes: notes.map((one) => one.note) })
  }
  return questions
}

function hasPieces(item: Item): boolean {
  const several = Number.parseInt(item.numberOfPieces ?? '', 10) > 1
  return several || Boolean(item.numberOfMissingPieces || item.missingPieces)
}
