// Moves a request to another item of the title, as one of the kinds that the rules allow there.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allPages } from '#/api/allPages'
import { post } from '#/api/client'
import { equals } from '#/api/cql'
import { failureOf } from '#/api/errors'
import type { Item } from '#/api/types'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { allowedChangeQuery } from '#/requests/queries'
import { KINDS, type Kind, type Request } from '#/requests/types'
import { kindId } from '#/requests/words'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Segmented } from '#/ui/Segmented'
import { Select } from '#/ui/Select'

interface Props {
  request: Request
  onDone: () => void
  onClose: () => void
}

export function MoveCard({ request, onDone, onClose }: Props) {
  const t = useText()
  const act = useAct()
  const [itemId, setItem] = useState<string>()
  const [wanted, setWanted] = useState<Kind>(request.requestType)
  const [tried, setTried] = useState(false)
  const { data: items } = useQuery({
    queryKey: ['items', 'of-instance', request.instanceId],
    queryFn: ({ signal }) =>
      allPages<Item>(
        '/inventory/items',
        'items',
        equals('instance.id', request.instanceId),
        signal,
      ),
  })
  const others = items?.filter((one) => one.id !== request.itemId)
  const { data: allowed, error } = useQuery({
    ...allowedChangeQuery(request.id, itemId),
    enabled: Boolean(itemId),
  })
  const kinds = KINDS.filter((one) => allowed?.[one])
  const kind = kinds.includes(wanted) ? wanted : kinds[0]
  const none = allowed && kinds.length === 0 ? t('request.nothingAllowed') : undefined
  const move = async () => {
    setTried(true)
    if (!itemId || !kind) return
    const body = { destinationItemId: itemId, requestType: kind }
    if (await act.run(() => post(`/circulation/requests/${request.id}/move`, body))) onDone()
  }
  return (
    <ConfirmCard
      title={t('request.moveIt')}
      act={t('request.moveIt')}
      busy={act.busy}
      disabled={others?.length === 0 ? t('request.noOthers') : none}
      onAct={() => void move()}
      onClose={onClose}
    >
      <NotDone failure={act.failure ?? (error ? failureOf(error) : undefined)} />
      <Select
        label={t('request.toItem')}
        value={itemId}
        placeholder={t('request.choose')}
        help={tried && !itemId ? t('request.chooseItem') : undefined}
        choices={(others ?? []).map((one) => ({
          value: one.id,
          text: [one.barcode, one.status.name, one.effectiveLocation?.name]
            .filter(Boolean)
            .join(' · '),
        }))}
        onChange={setItem}
      />
      {kind ? (
        <div className="row">
          <Segmented
            label={t('request.kindOf')}
            value={kind}
            onChange={setWanted}
            choices={kinds.map((one) => ({ value: one, text: t(kindId(one)) }))}
          />
        </div>
      ) : null}
    </ConfirmCard>
  )
}
