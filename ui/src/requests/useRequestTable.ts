// A list of requests as a table for files: the columns of the list, and who and what in full.
import { useText } from '#/i18n/text'
import { type Cell, dayOf } from '#/lib/csv'
import { fullName } from '#/lib/names'
import type { Request } from './types'
import { kindId, STATUSES } from './words'

export function useRequestTable() {
  const t = useText()
  const head = [
    t('request.titleOf'),
    t('request.itemBarcode'),
    t('request.callNumber'),
    t('request.location'),
    t('request.kindOf'),
    t('request.level'),
    t('request.statusOf'),
    t('request.place'),
    t('request.requester'),
    t('request.card'),
    t('request.group'),
    t('request.pickup'),
    t('request.date'),
    t('request.expires'),
    t('request.shelfUntil'),
    t('request.closedOn'),
    t('request.comments'),
  ]
  const row = (one: Request): Cell[] => {
    const word = STATUSES[one.status]
    return [
      one.instance?.title,
      one.item?.barcode,
      one.item?.callNumber,
      one.item?.location?.name,
      t(kindId(one.requestType)),
      one.requestLevel === 'Title' ? t('request.ofTitle') : t('request.ofItem'),
      word ? t(word.text) : one.status,
      one.position,
      fullName(one.requester ?? {}),
      one.requester?.barcode,
      one.requester?.patronGroup?.group,
      one.fulfillmentPreference === 'Delivery'
        ? t('request.delivery')
        : one.pickupServicePoint?.name,
      dayOf(one.requestDate),
      dayOf(one.requestExpirationDate),
      dayOf(one.holdShelfExpirationDate),
      dayOf(one.awaitingPickupRequestClosedDate),
      one.patronComments,
    ]
  }
  return { head, row }
}
