// The statuses of items: the kind of outcome, the sign and the word. FOLIO's names are keys of the texts.
import { useMemo } from 'react'
import { type TextId, useText } from '#/i18n/text'
import type { IconName } from '#/ui/Icon'
import type { Kind } from '#/ui/kinds'

interface Sign {
  kind: Kind
  icon: IconName
}

const plain: Sign = { kind: 'offline', icon: 'info' }
const wrong: Sign = { kind: 'blocked', icon: 'circle-alert' }

/** The statuses that staff and imports may give to an item; circulation gives the others. */
export const ASSIGNABLE_STATUSES = [
  'Available',
  'In process',
  'In process (non-requestable)',
  'Intellectual item',
  'Missing',
  'On order',
  'Order closed',
  'Restricted',
  'Unavailable',
  'Unknown',
  'Withdrawn',
] as const

const SIGNS: Record<string, Sign> = {
  Available: { kind: 'ok', icon: 'check' },
  'Checked out': { kind: 'offline', icon: 'book-up' },
  'In transit': { kind: 'transit', icon: 'truck' },
  'Awaiting pickup': { kind: 'hold', icon: 'bookmark' },
  'Awaiting delivery': { kind: 'hold', icon: 'bike' },
  Paged: { kind: 'hold', icon: 'bookmark' },
  'On order': plain,
  'In process': plain,
  'In process (non-requestable)': plain,
  'Order closed': plain,
  'Intellectual item': plain,
  Restricted: { kind: 'fee', icon: 'triangle-alert' },
  Unavailable: { kind: 'fee', icon: 'triangle-alert' },
  Missing: wrong,
  'Long missing': wrong,
  'Declared lost': wrong,
  'Lost and paid': wrong,
  'Aged to lost': wrong,
  'Claimed returned': { kind: 'question', icon: 'circle-help' },
  Withdrawn: { kind: 'blocked', icon: 'ban' },
  Unknown: { kind: 'question', icon: 'circle-help' },
}

export const signOf = (status: string): Sign => SIGNS[status] ?? plain

export function useStatusWord(): (status: string) => string {
  const t = useText()
  return useMemo(
    () => (status) =>
      status in SIGNS ? t(`inventory.status.${statusId(status)}` as TextId) : status,
    [t],
  )
}

/** "In process (non-requestable)" as the end of a text's id. */
export const statusId = (status: string): string =>
  status.replace(/[^A-Za-z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())
