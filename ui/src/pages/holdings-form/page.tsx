// Holdings are made or changed. What MARC controls is locked here: it is edited in the MARC record.
import { queryOptions } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { get, post, put } from '#/api/client'
import { loadLists, useList } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { RecordForm } from '#/inventory/form/RecordForm'
import { holdingsRecordQuery, instanceQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import type { Holdings } from '#/inventory/types'
import { useIsMarc } from '#/inventory/useIsMarc'
import { holdingsParts } from './parts'

interface Params {
  instanceId: string
  holdingsId?: string
  like?: string
}

const blockedQuery = queryOptions({
  queryKey: ['inventory', 'blocked-fields', 'holdings'],
  queryFn: ({ signal }) =>
    get<{ blockedFields: string[] }>('/inventory/config/holdings/blocked-fields', {}, signal),
  staleTime: 10 * 60_000,
})

export async function loader({ instanceId, holdingsId, like }: Params) {
  const known = holdingsId ?? like
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory'),
    loadLists('locations', 'holdingsTypes', 'callNumberTypes', 'holdingsSources'),
    queryClient.ensureQueryData(instanceQuery(instanceId)),
    holdingsId && queryClient.ensureQueryData(blockedQuery),
    known && queryClient.fetchQuery({ ...holdingsRecordQuery(known), staleTime: 0 }),
  ])
}

export function HoldingsNewPage() {
  const t = useText()
  const { instanceId } = useParams({ from: '/shell/inventory/$instanceId/holdings/new' })
  const { like } = useSearch({ from: '/shell/inventory/$instanceId/holdings/new' })
  const instance = useLoaded(instanceQuery(instanceId))
  const source = useList('holdingsSources').find((one) => one.name === 'FOLIO')?.id
  const found = like ? queryClient.getQueryData(holdingsRecordQuery(like).queryKey) : undefined
  const parts = useMemo(() => holdingsParts(t), [t])
  const record = useMemo(() => {
    const { id, hrid, _version, metadata, effectiveLocationId, ...rest } =
      found ?? ({} as Partial<Holdings>)
    return { ...rest, instanceId, sourceId: source } as Holdings
  }, [found, instanceId, source])
  return (
    <RecordForm<Holdings>
      title={t('inventory.addHoldings')}
      path={
        <RecordPath
          kind={t('inventory.holdings')}
          title={{ id: instanceId, text: instance.title }}
        />
      }
      record={record}
      parts={parts}
      save={async (next) => {
        await post('/holdings-storage/holdings', next)
        return { to: `/inventory/${instanceId}` }
      }}
    />
  )
}

export function HoldingsEditPage() {
  const t = useText()
  const { instanceId, holdingsId } = useParams({
    from: '/shell/inventory/$instanceId/holdings/$holdingsId/edit',
  })
  const instance = useLoaded(instanceQuery(instanceId))
  const holdings = useLoaded(holdingsRecordQuery(holdingsId))
  const { blockedFields } = useLoaded(blockedQuery)
  const isMarc = useIsMarc()(holdings)
  const parts = useMemo(() => holdingsParts(t), [t])
  return (
    <RecordForm<Holdings>
      key={holdingsId}
      title={t('inventory.editHoldings')}
      path={
        <RecordPath
          kind={t('inventory.holdings')}
          hrid={holdings.hrid}
          title={{ id: instanceId, text: instance.title }}
        />
      }
      record={holdings}
      parts={parts}
      locked={isMarc ? { names: blockedFields, reason: t('inventory.fromMarc') } : undefined}
      save={async (next) => {
        await put(`/holdings-storage/holdings/${holdingsId}`, next)
        return { to: `/inventory/${instanceId}` }
      }}
      current={() => get<Holdings>(`/holdings-storage/holdings/${holdingsId}`)}
    />
  )
}
