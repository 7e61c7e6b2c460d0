// Where the user works: the desks to choose from at log-in, one of them at first.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get, post, put } from '#/api/client'
import { equals } from '#/api/cql'
import { servicePointsQuery } from '#/api/desks'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { Badge } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Checkbox } from '#/ui/Checkbox'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Select } from '#/ui/Select'
import { Group } from './Details'

interface Assigned {
  id?: string
  userId: string
  servicePointsIds: string[]
  defaultServicePointId?: string
}

export function ServicePoints({ userId }: { userId: string }) {
  const t = useText()
  const client = useQueryClient()
  const { data: points } = useQuery(servicePointsQuery)
  const key = ['patrons', userId, 'service-points']
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<Assigned> => {
      const query = { query: equals('userId', userId), limit: 1 }
      const { servicePointsUsers } = await get<{ servicePointsUsers: Assigned[] }>(
        '/service-points-users',
        query,
        signal,
      )
      return servicePointsUsers[0] ?? { userId, servicePointsIds: [] }
    },
  })
  const mayEdit = useNeeds('inventory-storage.service-points-users.item.put')
  const act = useAct()
  const [draft, setDraft] = useState<Assigned>()
  const nameOf = (id: string) => points?.find((one) => one.id === id)?.name ?? id
  const save = async () => {
    if (!draft) return
    const done = await act.run(() =>
      draft.id
        ? put(`/service-points-users/${draft.id}`, draft)
        : post('/service-points-users', draft),
    )
    if (!done) return
    setDraft(undefined)
    await client.invalidateQueries({ queryKey: key })
  }
  const toggle = (id: string, on: boolean) => {
    if (!draft) return
    const others = draft.servicePointsIds.filter((one) => one !== id)
    const servicePointsIds = on ? [...others, id] : others
    const { defaultServicePointId: before } = draft
    setDraft({
      ...draft,
      servicePointsIds,
      defaultServicePointId: before && servicePointsIds.includes(before) ? before : undefined,
    })
  }
  if (!data) return null
  return (
    <Group title={t('users.servicePoints')}>
      {data.servicePointsIds.length ? (
        <ul className="stack tight">
          {data.servicePointsIds.map((id) => (
            <li key={id} className="row">
              <bdi>{nameOf(id)}</bdi>
              {id === data.defaultServicePointId ? <Badge>{t('users.default')}</Badge> : null}
            </li>
          ))}
        </ul>
      ) : (
        <p className="sm muted">{t('users.noServicePoints')}</p>
      )}
      {draft ? (
        <ConfirmCard
          title={t('users.servicePoints')}
          act={t('forms.save')}
          busy={act.busy}
          onAct={() => void save()}
          onClose={() => setDraft(undefined)}
        >
          <NotDone failure={act.failure} />
          <ul className="stack tight">
            {points?.map((point) => (
              <li key={point.id}>
                <Checkbox
                  checked={draft.servicePointsIds.includes(point.id)}
                  onChange={(on) => toggle(point.id, on)}
                >
                  <bdi>{point.name}</bdi>
                </Checkbox>
              </li>
            ))}
          </ul>
          <Select
            label={t('users.defaultPoint')}
            value={draft.defaultServicePointId}
            choices={draft.servicePointsIds.map((id) => ({ value: id, text: nameOf(id) }))}
            onChange={(id) => setDraft({ ...draft, defaultServicePointId: id })}
          />
        </ConfirmCard>
      ) : (
        <div className="row">
          <Button small icon="pencil" disabled={mayEdit.reason} onPress={() => setDraft(data)}>
            {t('users.changePoints')}
          </Button>
        </div>
      )}
    </Group>
  )
}
