// Who borrows for the user, and for whom the user borrows: shown, added, taken away.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post, remove } from '#/api/client'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { useNeeds } from '#/lib/permissions'
import { PersonLink } from '#/patrons/PersonLink'
import { PersonPicker } from '#/patrons/PersonPicker'
import { proxiesQuery } from '#/patrons/queries'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { DateField } from '#/ui/DateField'
import { Fields } from '#/ui/Fields'
import type { Option } from '#/ui/Lookup'
import { Radios } from '#/ui/Radios'
import { Group } from './Details'

export function Proxies({ userId }: { userId: string }) {
  const t = useText()
  const formats = useFormats()
  const client = useQueryClient()
  const { data } = useQuery(proxiesQuery(userId))
  const mayAdd = useNeeds('proxiesfor.item.post')
  const mayRemove = useNeeds('proxiesfor.item.delete')
  const act = useAct()
  const [adding, setAdding] = useState<'proxy' | 'sponsor'>()
  const [other, setOther] = useState<Option>()
  const [until, setUntil] = useState<string>()
  const [tried, setTried] = useState(false)
  const done = () => client.invalidateQueries({ queryKey: proxiesQuery(userId).queryKey })
  const add = async () => {
    setTried(true)
    if (!other) return
    const [sponsor, proxy] = adding === 'proxy' ? [userId, other.id] : [other.id, userId]
    const body = {
      userId: sponsor,
      proxyUserId: proxy,
      status: 'Active',
      requestForSponsor: 'Yes',
      notificationsTo: 'Sponsor',
      accrueTo: 'Sponsor',
      ...(until ? { expirationDate: until } : {}),
    }
    if (!(await act.run(() => post('/proxiesfor', body)))) return
    setAdding(undefined)
    await done()
  }
  const open = () => {
    setOther(undefined)
    setUntil(undefined)
    setTried(false)
    act.clear()
    setAdding('proxy')
  }
  return (
    <Group title={t('users.proxies')}>
      {data?.length === 0 && !adding ? <p className="sm muted">{t('users.noProxies')}</p> : null}
      <ul>
        {data?.map((one) => (
          <li key={one.id} className="row wrap">
            <span className="muted sm">
              {one.isSponsor ? t('users.actsFor') : t('users.hasProxy')}
            </span>
            <PersonLink
              id={one.other?.id}
              person={one.other?.personal}
              fallback={one.other?.username}
            />
            {one.expirationDate ? (
              <span className="muted sm">
                {t('users.until', { date: formats.day(one.expirationDate) })}
              </span>
            ) : null}
            <span className="push">
              <Button
                small
                kind="quiet"
                icon="x"
                disabled={mayRemove.reason}
                aria-label={t('users.removeProxy', { name: fullName(one.other?.personal ?? {}) })}
                onPress={() =>
                  void act
                    .run(() => remove(`/proxiesfor/${one.id}`))
                    .then((ok) => (ok ? done() : undefined))
                }
              />
            </span>
          </li>
        ))}
      </ul>
      {adding ? null : <NotDone failure={act.failure} />}
      {adding ? (
        <ConfirmCard
          title={t('users.addProxy')}
          act={t('users.add')}
          busy={act.busy}
          onAct={() => void add()}
          onClose={() => setAdding(undefined)}
        >
          <NotDone failure={act.failure} />
          <Radios
            label={t('users.addProxy')}
            value={adding}
            onChange={setAdding}
            choices={[
              { value: 'proxy', text: t('users.hasProxy') },
              { value: 'sponsor', text: t('users.actsFor') },
            ]}
          />
          <Fields>
            <PersonPicker
              label={t('users.person')}
              value={other}
              onChange={setOther}
              error={tried && !other ? t('users.choosePerson') : undefined}
            />
            <DateField
              label={t('users.untilDate')}
              value={until}
              onChange={setUntil}
              endOfDay
              mark="optional"
            />
          </Fields>
        </ConfirmCard>
      ) : (
        <div className="row">
          <Button small icon="plus" disabled={mayAdd.reason} onPress={open}>
            {t('users.addProxy')}
          </Button>
        </div>
      )}
    </Group>
  )
}
