// FOLIO's fixed words of requests, in the person's language.
import type { TextId } from '#/i18n/text'
import type { IconName } from '#/ui/Icon'
import type { Kind as Outcome } from '#/ui/kinds'
import type { Kind } from './types'

const KIND_IDS: Record<Kind, TextId> = {
  Hold: 'request.kind.hold',
  Page: 'request.kind.page',
  Recall: 'request.kind.recall',
}
export const kindId = (kind: Kind): TextId => KIND_IDS[kind] ?? 'request.kind.hold'

interface Word {
  text: TextId
  kind: Outcome
  icon: IconName
}

export const STATUSES: Record<string, Word> = {
  'Open - Not yet filled': { text: 'request.status.waiting', kind: 'offline', icon: 'clock' },
  'Open - Awaiting pickup': { text: 'request.status.shelf', kind: 'hold', icon: 'bookmark' },
  'Open - In transit': { text: 'request.status.transit', kind: 'transit', icon: 'truck' },
  'Open - Awaiting delivery': { text: 'request.status.delivery', kind: 'hold', icon: 'bike' },
  'Closed - Filled': { text: 'request.status.filled', kind: 'ok', icon: 'check' },
  'Closed - Cancelled': { text: 'request.status.cancelled', kind: 'offline', icon: 'x' },
  'Closed - Unfilled': { text: 'request.status.unfilled', kind: 'offline', icon: 'ban' },
  'Closed - Pickup expired': {
    text: 'request.status.expired',
    kind: 'fee',
    icon: 'calendar-clock',
  },
}

export const isOpen = ({ status }: { status: string }): boolean => status.startsWith('Open')
/** An item is on its way: the place in the queue is fixed. */
export const isBegun = ({ status }: { status: string }): boolean =>
  isOpen({ status }) && status !== 'Open - Not yet filled'
