// Moves a request to another item of the title; the server decides which kind it becomes there.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allPages } from '#/api/allPages'
import { post } from '#/api/client'
import { equals } from '#/api/cql'
import type { Item } from '#/api/types'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import type { Request } from '#/requests/types'
import { ConfirmCard } from '#/ui/ConfirmCard'
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
  const move = async () => {
    const item = others?.find((one) => one.id === itemId)
    if (!item) return
    const requestType = item.status.name === 'Available' ? 'Page' : 'Hold'
    const done = await act.run(() =>
      post(`/circulation/requests/${request.id}/move`, { destinationItemId: item.id, requestType }),
    )
    if (done) onDone()
  }
  return (
    <ConfirmCard
      title={t('request.moveIt')}
      act={t('request.moveIt')}
      busy={act.busy}
      disabled={others?.length === 0 ? t('request.noOthers') : undefined}
      onAct={() => void move()}
      onClose={onClose}
    >
      <NotDone failure={act.failure} />
      <Select
        label={t('request.toItem')}
        value={itemId}
        placeholder={t('request.choose')}
        choices={(others ?? []).map((one) => ({
          value: one.id,
          text: [one.barcode, one.status.name, one.effectiveLocation?.name]
            .filter(Boolean)
            .join(' · '),
        }))}
        onChange={setItem}
      />
    </ConfirmCard>
  )
}
