// Cancels a request with a reason of the library's list. The record is read anew before it is written.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get, put } from '#/api/client'
import { useSelf } from '#/api/self'
import { announce } from '#/app/live'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { fullName } from '#/lib/names'
import { reasonsQuery } from '#/requests/queries'
import type { Request } from '#/requests/types'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'

interface Props {
  request: Request
  onDone: () => void
  onClose: () => void
}

export function CancelCard({ request, onDone, onClose }: Props) {
  const t = useText()
  const { user } = useSelf()
  const { data: reasons } = useQuery(reasonsQuery)
  const act = useAct()
  const [reasonId, setReason] = useState<string>()
  const [more, setMore] = useState('')
  const [tried, setTried] = useState(false)
  const needsMore =
    reasons?.find((one) => one.id === reasonId)?.requiresAdditionalInformation === true
  const cancel = async () => {
    setTried(true)
    if (!reasonId || (needsMore && !more.trim())) return
    const done = await act.run(async () => {
      const now = await get<Request>(`/circulation/requests/${request.id}`)
      await put(`/circulation/requests/${request.id}`, {
        ...now,
        status: 'Closed - Cancelled',
        cancelledByUserId: user.id,
        cancellationReasonId: reasonId,
        cancelledDate: new Date().toISOString(),
        ...(more.trim() ? { cancellationAdditionalInformation: more.trim() } : {}),
      })
    })
    if (!done) return
    announce(t('request.status.cancelled'))
    onDone()
  }
  return (
    <ConfirmCard
      title={t('request.askCancel')}
      text={<bdi>{fullName(request.requester ?? {})}</bdi>}
      act={t('request.cancelIt')}
      danger
      busy={act.busy}
      onAct={() => void cancel()}
      onClose={onClose}
      closeText={t('request.keep')}
    >
      <NotDone failure={act.failure} />
      <div className="row wrap top">
        <Select
          label={t('request.reason')}
          value={reasonId}
          choices={(reasons ?? []).map((one) => ({ value: one.id, text: one.name }))}
          onChange={setReason}
          placeholder={t('request.choose')}
          help={tried && !reasonId ? t('request.chooseReason') : undefined}
        />
        <TextField
          grow
          label={t('request.additional')}
          mark={needsMore ? 'needed' : 'optional'}
          value={more}
          onChange={setMore}
          error={tried && needsMore && !more.trim() ? t('request.typeMore') : undefined}
        />
      </div>
    </ConfirmCard>
  )
}
