// One request: what, for whom, where it stands; changed, copied, cancelled with a reason, or moved to another item.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { PersonLink } from '#/patrons/PersonLink'
import { reasonsQuery, requestQuery } from '#/requests/queries'
import { RequestState } from '#/requests/RequestState'
import type { Request } from '#/requests/types'
import { kindId } from '#/requests/words'
import { Code } from '#/ui/Code'
import { Description } from '#/ui/Description'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { CancelCard } from './CancelCard'
import { EditCard } from './EditCard'
import { MoveCard } from './MoveCard'
import { RequestActs, type Task } from './RequestActs'

export async function loader({ params }: { params: { requestId: string } }) {
  await Promise.all([
    loadTexts('lists', 'forms', 'request'),
    queryClient.ensureQueryData(requestQuery(params.requestId)),
  ])
}

export function RequestPage() {
  const t = useText()
  const formats = useFormats()
  const client = useQueryClient()
  const { requestId } = useParams({ from: '/shell/requests/$requestId' })
  const request = useLoaded(requestQuery(requestId))
  const { data: reasons } = useQuery(reasonsQuery)
  const [task, setTask] = useState<Task>()
  const done = async () => {
    setTask(undefined)
    await client.invalidateQueries({ queryKey: ['requests'] })
    await client.invalidateQueries({ queryKey: ['patrons', request.requesterId] })
  }
  const when = (text: string | undefined) => (text ? formats.dayTime(text) : undefined)
  const { item, proxy } = request
  const printed = ({ printDetails }: Request) => {
    const { printCount: count, printEventDate = '', lastPrintRequester = {} } = printDetails ?? {}
    const name = fullName(lastPrintRequester) || '–'
    return count
      ? t('request.printedTimes', { count, time: when(printEventDate), name })
      : undefined
  }
  return (
    <>
      <RecordHead
        title={request.instance?.title ?? request.id}
        path={
          <>
            <Link to="/requests" search={{}}>
              {t('request.title')}
            </Link>{' '}
            / {t(kindId(request.requestType))}
          </>
        }
        sub={<RequestState request={request} />}
      >
        <RequestActs request={request} onTask={setTask} />
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          {task === 'cancel' ? (
            <CancelCard
              request={request}
              onDone={() => void done()}
              onClose={() => setTask(undefined)}
            />
          ) : null}
          {task === 'edit' ? (
            <EditCard
              request={request}
              onDone={() => void done()}
              onClose={() => setTask(undefined)}
            />
          ) : null}
          {task === 'move' ? (
            <MoveCard
              request={request}
              onDone={() => void done()}
              onClose={() => setTask(undefined)}
            />
          ) : null}
          <Description
            lines={[
              [
                t('request.requester'),
                <PersonLink
                  key="requester"
                  id={request.requesterId}
                  person={request.requester}
                  fallback={request.requesterId}
                />,
              ],
              [
                t('request.card'),
                request.requester?.barcode ? <Code>{request.requester.barcode}</Code> : undefined,
              ],
              [t('request.group'), request.requester?.patronGroup?.group],
              [
                t('request.proxy'),
                proxy ? (
                  <PersonLink id={request.proxyUserId} person={proxy} fallback={proxy.barcode} />
                ) : undefined,
              ],
              [t('request.kindOf'), t(kindId(request.requestType))],
              [
                t('request.level'),
                request.requestLevel === 'Title' ? t('request.ofTitle') : t('request.ofItem'),
              ],
              [t('request.place'), request.position ? formats.number(request.position) : undefined],
              [
                t('request.pickup'),
                request.fulfillmentPreference === 'Delivery'
                  ? t('request.delivery')
                  : request.pickupServicePoint?.name,
              ],
              [t('request.date'), when(request.requestDate)],
              [t('request.expires'), when(request.requestExpirationDate)],
              [t('request.shelfUntil'), when(request.holdShelfExpirationDate)],
              [t('request.itemBarcode'), item?.barcode ? <Code>{item.barcode}</Code> : undefined],
              [t('request.callNumber'), item?.callNumber],
              [t('request.location'), item?.location?.name],
              [t('request.comments'), request.patronComments],
              [
                t('request.reason'),
                reasons?.find((one) => one.id === request.cancellationReasonId)?.name,
              ],
              [t('request.printed'), printed(request)],
              [t('request.additional'), request.cancellationAdditionalInformation],
              [t('request.cancelledOn'), when(request.cancelledDate)],
            ]}
          />
        </div>
      </div>
    </>
  )
}
