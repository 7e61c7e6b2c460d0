// What is requested: an item by its barcode, or a title by its words.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { get } from '#/api/client'
import { equals } from '#/api/cql'
import type { Item } from '#/api/types'
import { useText } from '#/i18n/text'
import { findTitles } from '#/inventory/findTitles'
import { Lookup, type Option } from '#/ui/Lookup'
import { Segmented } from '#/ui/Segmented'
import { TextField } from '#/ui/TextField'

export interface Target {
  instanceId: string
  itemId?: string
  holdingsRecordId?: string
  title: string
}

interface Props {
  /** The barcode of the item to begin with. */
  first: string | undefined
  instanceId: string | undefined
  value: Target | undefined
  onChange: (target: Target | undefined) => void
  error: string | undefined
}

const PAUSE_MS = 250

export function WhatFields({ first, instanceId, value, onChange, error }: Props) {
  const t = useText()
  const [of, setOf] = useState<'item' | 'title'>(instanceId ? 'title' : 'item')
  const [typed, setTyped] = useState(first ?? '')
  const [barcode, setBarcode] = useState(first ?? '')
  useEffect(() => {
    const timer = setTimeout(() => setBarcode(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const { data: item } = useQuery({
    queryKey: ['items', 'by-barcode', barcode],
    queryFn: ({ signal }) => itemOf(barcode, signal),
    enabled: barcode !== '' && of === 'item',
  })
  const { data: instance } = useQuery({
    queryKey: ['instances', 'title', instanceId],
    queryFn: ({ signal }) =>
      get<{ id: string; title: string }>(`/inventory/instances/${instanceId}`, undefined, signal),
    enabled: Boolean(instanceId),
  })
  useEffect(() => {
    if (of !== 'item') return
    if (!item?.instanceId) return onChange(undefined)
    const { id, title = '', holdingsRecordId } = item
    onChange({ instanceId: item.instanceId, itemId: id, holdingsRecordId, title })
  }, [item, of])
  useEffect(() => {
    if (instance && of === 'title') onChange({ instanceId: instance.id, title: instance.title })
  }, [instance])
  const chosen: Option | undefined =
    value && of === 'title' ? { id: value.instanceId, text: value.title } : undefined
  return (
    <>
      <Segmented
        label={t('request.level')}
        value={of}
        onChange={(next) => {
          setOf(next)
          onChange(undefined)
        }}
        choices={[
          { value: 'item', text: t('request.ofItem') },
          { value: 'title', text: t('request.ofTitle') },
        ]}
      />
      {of === 'item' ? (
        <TextField
          label={t('request.itemBarcode')}
          value={typed}
          onChange={setTyped}
          autoFocus
          help={
            item
              ? [item.title, item.callNumber, item.status.name].filter(Boolean).join(' · ')
              : t('request.scanItem')
          }
          error={item === null ? t('request.noItem') : error}
        />
      ) : (
        <Lookup
          label={t('request.titleOf')}
          list="titles"
          value={chosen}
          onChange={(one) => onChange(one && { instanceId: one.id, title: one.text })}
          search={findTitles}
          error={error}
          autoFocus
        />
      )}
    </>
  )
}

/** The item with its title: FOLIO's items know their holdings only. Null where nothing has the barcode. */
async function itemOf(barcode: string, signal: AbortSignal) {
  const query = { query: equals('barcode', barcode), limit: 1 }
  const { items } = await get<{ items: Item[] }>('/inventory/items', query, signal)
  const item = items[0]
  if (!item?.holdingsRecordId) return null
  const path = `/holdings-storage/holdings/${item.holdingsRecordId}`
  const { instanceId } = await get<{ instanceId: string }>(path, undefined, signal)
  return { ...item, instanceId }
}
