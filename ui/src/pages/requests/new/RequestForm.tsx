// The form of a new request: an item by its barcode or a title by its words, for whom, and of the kinds and places that
// the rules allow for both. It begins with what the address or another request says.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '#/api/client'
import { queryClient } from '#/api/query'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { fullName } from '#/lib/names'
import { PersonPicker } from '#/patrons/PersonPicker'
import { patronQuery } from '#/patrons/queries'
import { allowedQuery } from '#/requests/queries'
import type { Kind, Request } from '#/requests/types'
import { Button } from '#/ui/Button'
import { DateField } from '#/ui/DateField'
import type { Option } from '#/ui/Lookup'
import { TextField } from '#/ui/TextField'
import styles from '../requests.module.css'
import { Fulfilment } from './Fulfilment'
import { OverrideBlock } from './OverrideBlock'
import { type Target, WhatFields } from './WhatFields'

interface Props {
  requester: string | undefined
  /** The barcode of the item. */
  item: string | undefined
  instance: string | undefined
  /** The request that this one is a copy of. */
  like: Request | undefined
}

export function RequestForm({ like, ...from }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const act = useAct()
  const [target, setTarget] = useState<Target>()
  const [chosen, setChosen] = useState<Option>()
  const requesterId = chosen?.id ?? from.requester
  const { data: user } = useQuery({ ...patronQuery(requesterId ?? ''), enabled: !!requesterId })
  const requester =
    chosen ?? (user && { id: user.id, text: fullName(user.personal), detail: user.barcode })
  const of = target?.itemId ? { itemId: target.itemId } : { instanceId: target?.instanceId }
  const { data: allowed, error } = useQuery({
    ...allowedQuery(requesterId ?? '', of),
    enabled: Boolean(requesterId && target),
  })
  const [kind, setKind] = useState<Kind | undefined>(like?.requestType)
  const [pickup, setPickup] = useState(like?.pickupServicePointId)
  const [address, setAddress] = useState(like?.deliveryAddressTypeId)
  const [expires, setExpires] = useState(like?.requestExpirationDate)
  const [comments, setComments] = useState(like?.patronComments ?? '')
  const [override, setOverride] = useState<string>()
  const [tried, setTried] = useState(false)
  const kinds = Object.keys(allowed ?? {}) as Kind[]
  const chosenKind = kind && kinds.includes(kind) ? kind : kinds[0]
  const places = (chosenKind && allowed?.[chosenKind]) || []
  const place = places.find((one) => one.id === pickup)?.id
  const isWhole = target && requesterId && chosenKind && (address || place)
  const save = async () => {
    setTried(true)
    if (!isWhole || !target) return
    await act.run(async () => {
      const request = await post<Request>('/circulation/requests', {
        requestLevel: target.itemId ? 'Item' : 'Title',
        requestType: chosenKind,
        instanceId: target.instanceId,
        ...(target.itemId
          ? { itemId: target.itemId, holdingsRecordId: target.holdingsRecordId }
          : {}),
        requesterId,
        requestDate: new Date().toISOString(),
        ...(address
          ? { fulfillmentPreference: 'Delivery', deliveryAddressTypeId: address }
          : { fulfillmentPreference: 'Hold Shelf', pickupServicePointId: place }),
        ...(expires ? { requestExpirationDate: expires } : {}),
        ...(comments.trim() ? { patronComments: comments.trim() } : {}),
        ...(override
          ? {
              requestProcessingParameters: {
                overrideBlocks: { patronBlock: {}, comment: override },
              },
            }
          : {}),
      })
      await queryClient.invalidateQueries({ queryKey: ['requests'] })
      await navigate({ to: '/requests/$requestId', params: { requestId: request.id } })
    })
  }
  return (
    <form
      className={styles.form}
      aria-label={t('request.new')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <NotDone failure={act.failure} />
      <OverrideBlock failure={act.failure} value={override} onChange={setOverride} />
      <WhatFields
        first={from.item}
        instanceId={from.instance}
        value={target}
        onChange={setTarget}
        error={tried && !target ? t('request.chooseWhat') : undefined}
      />
      <PersonPicker
        label={t('request.requester')}
        value={requester}
        onChange={setChosen}
        error={tried && !requesterId ? t('request.chooseWho') : undefined}
      />
      <NotDone failure={error ? { kind: 'fault', status: 0, text: String(error) } : undefined} />
      {allowed && requesterId ? (
        <Fulfilment
          allowed={allowed}
          user={user}
          kind={chosenKind}
          onKind={setKind}
          pickup={place}
          onPickup={setPickup}
          address={address}
          onAddress={setAddress}
          tried={tried}
        />
      ) : (
        <p className="sm muted">{t('request.whatAllowed')}</p>
      )}
      <DateField
        label={t('request.expires')}
        mark="optional"
        endOfDay
        value={expires}
        onChange={setExpires}
      />
      <TextField
        label={t('request.comments')}
        mark="optional"
        lines
        value={comments}
        onChange={setComments}
      />
      <div className="row">
        <Button kind="primary" type="submit" busy={act.busy}>
          {t('request.place.it')}
        </Button>
        <Button kind="quiet" onPress={() => void navigate({ to: '/requests', search: {} })}>
          {t('forms.back')}
        </Button>
      </div>
    </form>
  )
}
