// How an import job and its records are spoken of.
import type { Text } from '#/i18n/text'
import type { IconName } from '#/ui/icons'
import type { Kind } from '#/ui/kinds'
import { isOver, type Job, type LogLine } from './jobs'

interface State {
  kind: Kind
  icon: IconName
  word: string
}

export function jobState(job: Job, t: Text): State {
  if (!isOver(job)) return { kind: 'question', icon: 'refresh-cw', word: t('data.running') }
  switch (job.status) {
    case 'COMMITTED':
      return { kind: 'ok', icon: 'check', word: t('data.done') }
    case 'CANCELLED':
      return { kind: 'offline', icon: 'ban', word: t('data.stopped') }
    default:
      return { kind: 'blocked', icon: 'circle-x', word: t('data.doneWithFaults') }
  }
}

type Word = 'created' | 'updated' | 'deleted' | 'unchanged' | 'failed'
const STATES: Record<string, [Kind, IconName, Word]> = {
  CREATED: ['ok', 'plus', 'created'],
  UPDATED: ['transit', 'refresh-cw', 'updated'],
  DELETED: ['fee', 'trash-2', 'deleted'],
  DISCARDED: ['offline', 'equal', 'unchanged'],
}

export function lineState(line: LogLine, t: Text): State {
  const [kind, icon, word] = reasonOf(line)
    ? (['blocked', 'circle-x', 'failed'] as const)
    : (STATES[actOf(line) ?? ''] ?? (['offline', 'equal', 'unchanged'] as const))
  return { kind, icon, word: t(`data.${word}`) }
}

/** FOLIO's log has no word for a deletion: its line names the MARC record and no act. */
const isDeletion = (line: LogLine) =>
  line.sourceRecordType === 'MARC_AUTHORITY' && !!line.sourceRecordId

const actOf = (line: LogLine) =>
  line.relatedInstanceInfo?.actionStatus ??
  line.relatedPoLineInfo?.actionStatus ??
  line.relatedInvoiceLineInfo?.actionStatus ??
  line.relatedInvoiceInfo?.actionStatus ??
  line.sourceRecordActionStatus ??
  (isDeletion(line) ? 'DELETED' : undefined)

/** What went wrong, as the server says it. */
export function reasonOf(line: LogLine): string {
  const all = [
    line.error,
    line.relatedInstanceInfo?.error,
    line.relatedAuthorityInfo?.error,
    line.relatedPoLineInfo?.error,
    line.relatedInvoiceInfo?.error,
    line.relatedInvoiceLineInfo?.error,
    ...(line.relatedHoldingsInfo ?? []).map(({ error }) => error),
    ...(line.relatedItemInfo ?? []).map(({ error }) => error),
  ]
  return [...new Set(all.filter(Boolean))].join(' · ')
}

export const personOf = (by: { firstName?: string; lastName?: string } | undefined) =>
  [by?.firstName, by?.lastName].filter(Boolean).join(' ')
