// What a check-in answer means for hands: shelve, send, hold shelf, deliver, put aside. Pure.
import type { LoanItem } from '#/api/types'
import { shelfCode } from '#/lib/names'
import type { Outcome, Slip } from './types'

export interface CheckInAnswer {
  item: LoanItem
  loan?: { id: string; userId?: string; feesAndFines?: { amountRemainingToPay?: number } }
  staffSlipContext?: SlipContext
  inHouseUse?: boolean
}

export interface SlipContext extends Record<string, unknown> {
  item?: Record<string, string>
  requester?: { firstName?: string; lastName?: string; barcode?: string }
  request?: {
    deliveryAddressType?: string
    servicePointPickup?: string
    holdShelfExpirationDate?: string
    patronComments?: string
  }
}

export function outcomeOf(
  { item, staffSlipContext, inHouseUse }: CheckInAnswer,
  owed: number,
): Outcome {
  const status = item.status?.name ?? ''
  const location = item.location?.name
  const requester = staffSlipContext?.requester
  const patron = [requester?.firstName, requester?.lastName].filter(Boolean).join(' ') || undefined
  switch (status) {
    case 'Awaiting pickup':
      return {
        kind: 'hold',
        icon: 'bookmark',
        word: 'desk.holdShelf',
        place: shelfCode(requester?.lastName ?? '', requester?.barcode ?? '') || undefined,
        patron,
        until: staffSlipContext?.request?.holdShelfExpirationDate,
        tone: 'hold',
      }
    case 'Awaiting delivery':
      return {
        kind: 'hold',
        icon: 'bike',
        word: 'desk.deliver',
        place: staffSlipContext?.request?.deliveryAddressType,
        patron,
        tone: 'hold',
      }
    case 'In transit':
      return {
        kind: 'transit',
        icon: 'truck',
        word: 'desk.send',
        place: destinationOf({ item, staffSlipContext }),
        tone: 'transit',
      }
    case 'Available':
      return {
        kind: 'ok',
        icon: inHouseUse ? 'armchair' : 'check',
        word: inHouseUse ? 'desk.usedInHouse' : 'desk.shelve',
        place: location,
        tone: owed > 0 ? 'fee' : 'ok',
      }
    default:
      return {
        kind: 'offline',
        icon: 'archive',
        word: 'desk.putAside',
        place: status,
        tone: owed > 0 ? 'fee' : 'ok',
      }
  }
}

function destinationOf({ item, staffSlipContext }: CheckInAnswer): string | undefined {
  return (
    item.inTransitDestinationServicePoint?.name ??
    staffSlipContext?.item?.toServicePoint ??
    staffSlipContext?.request?.servicePointPickup
  )
}

export function slipOf(answer: CheckInAnswer): Slip | undefined {
  const kinds = {
    'Awaiting pickup': 'hold',
    'In transit': 'transit',
    'Awaiting delivery': 'delivery',
  } as const
  const kind = kinds[answer.item.status?.name as keyof typeof kinds]
  return kind && { kind, context: answer.staffSlipContext ?? {}, printed: false }
}
