// An item is made or changed.
import { useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { get, post, put } from '#/api/client'
import { loadLists } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { RecordForm } from '#/inventory/form/RecordForm'
import { instanceQuery, storedItemQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import { useStatusWord } from '#/inventory/status'
import type { StoredItem } from '#/inventory/types'
import { itemParts } from './parts'
import { copyOf, type FormItem, toInventory } from './wire'

interface Params {
  instanceId: string
  itemId?: string
  like?: string
}

export async function loader({ instanceId, itemId, like }: Params) {
  const known = itemId ?? like
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory'),
    loadLists('locations', 'materialTypes', 'loanTypes', 'callNumberTypes'),
    queryClient.ensureQueryData(instanceQuery(instanceId)),
    known && queryClient.fetchQuery({ ...storedItemQuery(known), staleTime: 0 }),
  ])
}

export function ItemNewPage() {
  const t = useText()
  const word = useStatusWord()
  const { instanceId } = useParams({ from: '/shell/inventory/$instanceId/items/new' })
  const { like, holdings } = useSearch({ from: '/shell/inventory/$instanceId/items/new' })
  const instance = useLoaded(instanceQuery(instanceId))
  const found = like ? queryClient.getQueryData(storedItemQuery(like).queryKey) : undefined
  const parts = useMemo(() => itemParts(t, word, true), [t, word])
  const record = useMemo(
    () =>
      ({
        ...(found && copyOf(found)),
        holdingsRecordId: holdings ?? found?.holdingsRecordId,
        statusName: 'Available',
      }) as FormItem,
    [found, holdings],
  )
  return (
    <RecordForm<FormItem>
      title={t('inventory.addItem')}
      path={
        <RecordPath kind={t('inventory.item')} title={{ id: instanceId, text: instance.title }} />
      }
      record={record}
      parts={parts}
      save={async (next) => {
        await post('/inventory/items', toInventory(next))
        return { to: `/inventory/${instanceId}` }
      }}
    />
  )
}

export function ItemEditPage() {
  const t = useText()
  const word = useStatusWord()
  const { instanceId, itemId } = useParams({
    from: '/shell/inventory/$instanceId/items/$itemId/edit',
  })
  const instance = useLoaded(instanceQuery(instanceId))
  const item = useLoaded(storedItemQuery(itemId))
  const parts = useMemo(() => itemParts(t, word, false), [t, word])
  return (
    <RecordForm<FormItem>
      key={itemId}
      title={t('inventory.editOf', { name: item.barcode ?? item.hrid ?? '' })}
      path={
        <RecordPath
          kind={t('inventory.item')}
          hrid={item.hrid}
          title={{ id: instanceId, text: instance.title }}
        />
      }
      record={item}
      parts={parts}
      save={async (next) => {
        await put(`/inventory/items/${itemId}`, toInventory(next))
        return { to: `/inventory/${instanceId}/items/${itemId}` }
      }}
      current={() => get<StoredItem>(`/item-storage/items/${itemId}`)}
    />
  )
}
