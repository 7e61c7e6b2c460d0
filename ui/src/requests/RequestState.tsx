// How a request stands: sign and word, with the day that counts.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Outcome } from '#/ui/Badge'
import type { Request } from './types'
import { STATUSES } from './words'

export function RequestState({ request }: { request: Request }) {
  const t = useText()
  const { day } = useFormats()
  const word = STATUSES[request.status]
  if (!word) return <bdi>{request.status}</bdi>
  const { status, holdShelfExpirationDate, requestExpirationDate, pickupServicePoint } = request
  let text = t(word.text)
  if (status === 'Open - Awaiting pickup' && holdShelfExpirationDate)
    text = t('request.status.shelfUntil', { date: day(holdShelfExpirationDate) })
  if (status === 'Open - In transit' && pickupServicePoint)
    text = t('request.status.transitTo', { place: pickupServicePoint.name })
  const ends = status === 'Open - Not yet filled' && requestExpirationDate
  if (ends) text = t('request.status.waitingUntil', { date: day(requestExpirationDate) })
  return (
    <Outcome kind={ends ? 'fee' : word.kind} icon={ends ? 'calendar-clock' : word.icon}>
      <span className="cut">{text}</span>
    </Outcome>
  )
}
