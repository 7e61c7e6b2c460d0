// What a scan says: on its row, on the stage, aloud.
import type { Text } from '#/i18n/text'
import type { Formats } from '#/lib/format'
import type { IconName } from '#/ui/icons'
import type { Kind } from '#/ui/kinds'
import type { Question, Scan } from './types'

export interface Said {
  kind: Kind
  icon: IconName
  word: string
  place?: string
}

/** The item statuses of FOLIO, by their names on the wire. */
const STATUSES = {
  'Aged to lost': 'agedToLost',
  Available: 'available',
  'Awaiting delivery': 'awaitingDelivery',
  'Awaiting pickup': 'awaitingPickup',
  'Checked out': 'checkedOut',
  'Claimed returned': 'claimedReturned',
  'Declared lost': 'declaredLost',
  'In process': 'inProcess',
  'In process (non-requestable)': 'inProcessFixed',
  'In transit': 'inTransit',
  'Intellectual item': 'intellectual',
  'Long missing': 'longMissing',
  'Lost and paid': 'lostAndPaid',
  Missing: 'missing',
  'On order': 'onOrder',
  'Order closed': 'orderClosed',
  Paged: 'paged',
  Restricted: 'restricted',
  Unavailable: 'unavailable',
  Unknown: 'unknown',
  Withdrawn: 'withdrawn',
} as const

export function statusName(name: string, t: Text): string {
  const id = STATUSES[name as keyof typeof STATUSES]
  return id ? t(`desk.status.${id}`) : name
}

export type DeskAct = 'checkIn' | 'checkOut'

export function saidOf(scan: Scan, t: Text, formats: Formats, act: DeskAct): Said {
  const { outcome, refusal, questions } = scan
  switch (scan.state) {
    case 'waiting':
    case 'asking':
      return { kind: 'offline', icon: 'ellipsis', word: t('desk.asking') }
    case 'question':
    case 'left': {
      const [question] = questions
      const isOverride = question?.kind === 'override'
      return {
        kind: isOverride ? 'blocked' : 'question',
        icon: isOverride ? 'ban' : 'circle-help',
        word: isOverride ? t('desk.notLentYet') : t('desk.question'),
        place: question ? t(`desk.about.${question.kind}`) : undefined,
      }
    }
    case 'refused':
      return {
        kind: 'blocked',
        icon: 'octagon-x',
        word: t(act === 'checkIn' ? 'desk.notCheckedIn' : 'desk.notLent'),
        place: refusal?.reason ? t(refusal.reason) : refusal?.detail,
      }
    default:
      return {
        kind: outcome?.kind ?? 'ok',
        icon: outcome?.icon ?? 'check',
        word: outcome
          ? t(outcome.word, { date: outcome.dueDate && dueText(outcome.dueDate, scan.at, formats) })
          : '',
        place:
          outcome?.word === 'desk.putAside' ? statusName(outcome.place ?? '', t) : outcome?.place,
      }
  }
}

/** Hours matter for what is lent for less than a day. */
export const dueText = (due: string, at: number, { day, dayTime }: Formats) =>
  (Date.parse(due) - at < 24 * 3600_000 ? dayTime : day)(due)

/** The line under the stage's word: title, for whom, until when. */
export function whyOf(scan: Scan, t: Text, formats: Formats): string[] {
  const { outcome, refusal } = scan
  if (scan.state === 'refused')
    return [refusal?.reason ? t(refusal.reason) : (refusal?.detail ?? '')]
  const parts: string[] = []
  if (outcome?.patron) {
    parts.push(
      outcome.until
        ? t('desk.forUntil', { name: outcome.patron, date: formats.day(outcome.until) })
        : t('desk.for', { name: outcome.patron }),
    )
  }
  if (outcome?.policy) parts.push(outcome.policy)
  if (scan.owed) parts.push(t('desk.owes', { amount: formats.money(scan.owed) }))
  return parts
}

/** The question in one sentence, and its consequence in one line. */
export function askedOf(
  question: Question,
  t: Text,
  formats: Formats,
  act: DeskAct,
): [string, string] {
  switch (question.kind) {
    case 'claimedReturned':
      return [
        question.patron
          ? t('desk.ask.claimed', {
              name: question.patron,
              date: question.since ? formats.day(question.since) : '',
              dated: question.since ? 'yes' : 'no',
            })
          : t('desk.ask.claimedUnknown'),
        question.owed
          ? t('desk.ask.claimedOwed', { amount: formats.money(question.owed) })
          : t('desk.ask.claimedWhy'),
      ]
    case 'status':
      return [
        t(act === 'checkIn' ? 'desk.ask.statusIn' : 'desk.ask.statusOut', {
          status: question.status,
        }),
        question.suppressed ? t('desk.ask.suppressed') : t('desk.ask.statusWhy'),
      ]
    case 'pieces':
      return [
        t('desk.ask.pieces', { count: question.count ?? '?' }),
        [
          question.description,
          question.missing || question.missingWhat
            ? t('desk.ask.missing', {
                what: [question.missing, question.missingWhat].filter(Boolean).join(', '),
              })
            : undefined,
        ]
          .filter(Boolean)
          .join(' · '),
      ]
    case 'notes':
      return [question.notes.join(' · '), t('desk.ask.notesWhy')]
    case 'override':
      return [
        t(
          question.blocks.includes('itemNotLoanableBlock')
            ? 'desk.ask.notLoanable'
            : question.blocks.includes('itemLimitBlock')
              ? 'desk.ask.limit'
              : 'desk.ask.blocked',
        ),
        question.reasons.join(' '),
      ]
  }
}
