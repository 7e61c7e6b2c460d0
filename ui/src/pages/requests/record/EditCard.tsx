// What of a request can be changed: where it comes, and until when. The record is read anew before it is written; what
// somebody else changed meanwhile is shown beside one's own.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get, put } from '#/api/client'
import { announce } from '#/app/live'
import { Conflict } from '#/forms/Conflict'
import { same } from '#/forms/differences'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { type TextId, useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { addressTypesQuery, patronQuery } from '#/patrons/queries'
import { type Changeable, changeable, changed } from '#/requests/change'
import { PlaceFields } from '#/requests/PlaceFields'
import { allowedChangeQuery } from '#/requests/queries'
import type { Request } from '#/requests/types'
import { isBegun } from '#/requests/words'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { DateField } from '#/ui/DateField'
import { Fields } from '#/ui/Fields'

interface Props {
  request: Request
  onDone: () => void
  onClose: () => void
}

const LABELS: Record<keyof Changeable, TextId> = {
  pickup: 'request.pickup',
  address: 'request.address',
  expires: 'request.expires',
  shelfUntil: 'request.shelfUntil',
}

export function EditCard({ request, onDone, onClose }: Props) {
  const t = useText()
  const { day } = useFormats()
  const act = useAct()
  const { data: user } = useQuery(patronQuery(request.requesterId))
  const { data: allowed } = useQuery(allowedChangeQuery(request.id))
  const { data: types } = useQuery(addressTypesQuery)
  const [base, setBase] = useState(() => changeable(request))
  const [mine, setMine] = useState(base)
  const [theirs, setTheirs] = useState<Changeable>()
  const [tried, setTried] = useState(false)
  const begun = isBegun(request)
  const own = request.pickupServicePoint
  const known = allowed?.[request.requestType] ?? []
  // Where it comes now can stay, whatever the rules say today.
  const places =
    base.pickup && !known.some((one) => one.id === base.pickup)
      ? [{ id: base.pickup, name: own?.name ?? base.pickup }, ...known]
      : known
  const save = async (values: Changeable, against: Changeable) => {
    setTried(true)
    if (!values.pickup && !values.address) return
    let isConflict = false
    const done = await act.run(async () => {
      const now = await get<Request>(`/circulation/requests/${request.id}`)
      isConflict = !same(changeable(now), against)
      if (isConflict) return setTheirs(changeable(now))
      await put(`/circulation/requests/${request.id}`, changed(now, values))
    })
    if (!done || isConflict) return
    announce(t('request.changed'))
    onDone()
  }
  if (theirs) {
    return (
      <Conflict
        base={base}
        mine={mine}
        theirs={theirs}
        label={(path) => t(LABELS[path as keyof Changeable])}
        show={(value, path) => {
          const id = String(value ?? '')
          if (path === 'pickup') return places.find((one) => one.id === id)?.name ?? id
          if (path === 'address') return types?.find((one) => one.id === id)?.addressType ?? id
          return id && day(id)
        }}
        onResolved={(values) => {
          setBase(theirs)
          setMine(values)
          setTheirs(undefined)
          void save(values, theirs)
        }}
      />
    )
  }
  return (
    <ConfirmCard
      title={t('request.askEdit')}
      act={t('forms.save')}
      busy={act.busy}
      onAct={() => void save(mine, base)}
      onClose={onClose}
    >
      <NotDone failure={act.failure} />
      <Fields>
        {begun ? null : (
          <PlaceFields
            user={user}
            places={places}
            pickup={mine.pickup}
            onPickup={(pickup) => setMine({ ...mine, pickup })}
            address={mine.address}
            onAddress={(address) => setMine({ ...mine, address })}
            tried={tried}
          />
        )}
        <DateField
          label={t('request.expires')}
          mark="optional"
          endOfDay
          value={mine.expires}
          onChange={(expires) => setMine({ ...mine, expires })}
        />
        {request.status === 'Open - Awaiting pickup' ? (
          <DateField
            label={t('request.shelfUntil')}
            mark="optional"
            endOfDay
            value={mine.shelfUntil}
            onChange={(shelfUntil) => setMine({ ...mine, shelfUntil })}
          />
        ) : null}
      </Fields>
      {begun ? <p className="sm muted">{t('request.placeIsFixed')}</p> : null}
    </ConfirmCard>
  )
}
