// FOLIO's fixed words for how a fee stands and what was done with it.
import type { Text, TextId } from '#/i18n/text'
import type { IconName } from '#/ui/Icon'
import type { Kind } from '#/ui/kinds'

export const STATES: Record<string, readonly [TextId, Kind, IconName]> = {
  Outstanding: ['fees.status.open', 'offline', 'clock'],
  'Paid partially': ['fees.status.paidPart', 'fee', 'coins'],
  'Paid fully': ['fees.status.paid', 'ok', 'check'],
  'Waived partially': ['fees.status.waivedPart', 'fee', 'coins'],
  'Waived fully': ['fees.status.waived', 'ok', 'check'],
  'Transferred partially': ['fees.status.transferredPart', 'fee', 'coins'],
  'Transferred fully': ['fees.status.transferred', 'ok', 'check'],
  'Credited partially': ['fees.status.creditedPart', 'fee', 'coins'],
  'Credited fully': ['fees.status.credited', 'fee', 'coins'],
  'Refunded partially': ['fees.status.refundedPart', 'fee', 'undo-2'],
  'Refunded fully': ['fees.status.refunded', 'fee', 'undo-2'],
  'Cancelled as error': ['fees.status.cancelled', 'offline', 'x'],
  'Cancelled item returned': ['fees.status.cancelledReturned', 'offline', 'x'],
  'Cancelled item renewed': ['fees.status.cancelledRenewed', 'offline', 'x'],
  'Cancelled item declared lost': ['fees.status.cancelledLost', 'offline', 'x'],
  'Suspended claim returned': ['fees.status.suspended', 'question', 'pause'],
}

/** An action in words; the first one of a fee bears the fee's own name. */
export function actionWord(typeAction: string | undefined, t: Text): string {
  const found = STATES[typeAction ?? '']
  return found ? t(found[0]) : (typeAction ?? '')
}
