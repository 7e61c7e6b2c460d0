// What can be done with a record that an organization names: change it, unlink it, delete it.
import { useState } from 'react'
import type { Organization } from '#/acquisitions/types'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import type { Act } from '#/ui/Menu'
import { type Linked, othersWith, removeLinked, STEMS, unlink } from './useLinked'

export function useLinkActs<T extends { id: string }>(
  kind: Linked,
  organization: Organization,
  nameOf: (one: T) => string,
) {
  const t = useText()
  const put = useNeeds(`${STEMS[kind]}.item.put`)
  const drop = useNeeds(`${STEMS[kind]}.item.delete`)
  const link = useNeeds('organizations.organizations.item.put')
  const act = useAct()
  /** The record whose form is open; `new` for one that is being made. */
  const [edited, setEdited] = useState<T | 'new'>()
  const [deleted, setDeleted] = useState<T>()
  const [linking, setLinking] = useState(false)
  /** What other organizations name, too, is not deleted from here. */
  const [others, setOthers] = useState<readonly Organization[]>([])
  const ask = (one: T) =>
    void act.run(async () => {
      const found = await othersWith(kind, organization, one.id)
      setOthers(found)
      if (!found.length) setDeleted(one)
    })
  const takeOff = (one: T) =>
    void act.run(async () => {
      await unlink(kind, organization, one.id)
      announce(t('fin.unlinked', { name: nameOf(one) }))
    })
  const remove = async () => {
    if (!deleted) return
    const done = await act.run(() => removeLinked(kind, organization, deleted.id))
    if (!done) return
    announce(t('fin.deleted', { name: nameOf(deleted) }))
    setDeleted(undefined)
  }
  const actsOf = (one: T): (Act | 'line')[] => [
    {
      id: 'edit',
      text: t('acq.edit'),
      icon: 'pencil',
      disabled: put.reason,
      run: () => setEdited(one),
    },
    {
      id: 'unlink',
      text: t('fin.unlink'),
      icon: 'unlink',
      disabled: link.reason,
      run: () => takeOff(one),
    },
    'line',
    {
      id: 'delete',
      text: t('fin.delete'),
      icon: 'trash-2',
      disabled: link.reason ?? drop.reason,
      run: () => ask(one),
    },
  ]
  return {
    act,
    edited,
    setEdited,
    deleted,
    setDeleted,
    remove,
    actsOf,
    mayEdit: put.allowed,
    linking,
    setLinking,
    mayLink: link,
    others,
  }
}
