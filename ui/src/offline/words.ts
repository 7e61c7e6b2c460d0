// What a kept scan says in its row.
import type { Text } from '#/i18n/text'
import type { Formats } from '#/lib/format'
import type { IconName } from '#/ui/icons'
import type { Kind } from '#/ui/kinds'
import type { EntryKind, Kept, Result } from './types'

export const KINDS = {
  checkOut: 'offline.lent',
  inHouse: 'offline.usedInHouse',
  checkIn: 'offline.aside',
} as const satisfies Record<EntryKind, string>

export interface State {
  kind: Kind
  icon: IconName
  word: string
  place?: string
}

export function whyRefused(result: Result | undefined, t: Text): string {
  const { refusal, question } = result ?? {}
  if (refusal?.reason) return t(refusal.reason)
  if (refusal?.detail) return refusal.detail
  return question ? t(`desk.about.${question.kind}`) : ''
}

export function stateWords({ entry, state, result }: Kept, t: Text, formats: Formats): State {
  switch (state) {
    case 'kept':
      return { kind: 'offline', icon: 'hard-drive-download', word: t('offline.keptHere') }
    case 'aside':
      return { kind: 'offline', icon: 'archive', word: t('offline.aside') }
    case 'refused':
      return {
        kind: 'blocked',
        icon: 'octagon-x',
        word: t(entry.kind === 'checkOut' ? 'desk.notLentYet' : 'desk.notCheckedIn'),
        place: whyRefused(result, t),
      }
    case 'dropped':
      return { kind: 'offline', icon: 'x', word: t('offline.dropped'), place: result?.why }
    default: {
      const { outcome } = result ?? {}
      return {
        kind: outcome?.kind ?? 'ok',
        icon: outcome?.icon ?? 'check',
        word: outcome
          ? t(outcome.word, { date: outcome.dueDate ? formats.day(outcome.dueDate) : '' })
          : t('offline.accepted'),
        place: outcome?.place ?? outcome?.policy,
      }
    }
  }
}
