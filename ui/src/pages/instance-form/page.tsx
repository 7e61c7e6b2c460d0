// A title is made or changed. What MARC controls is locked here: it is edited in the MARC record.
import { queryOptions } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { get, post, put } from '#/api/client'
import { loadLists } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { RecordForm } from '#/inventory/form/RecordForm'
import { wiredTitles } from '#/inventory/form/related'
import { instanceQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import type { Instance } from '#/inventory/types'
import { instanceParts } from './parts'

const blockedQuery = queryOptions({
  queryKey: ['inventory', 'blocked-fields'],
  queryFn: ({ signal }) =>
    get<{ blockedFields: string[] }>('/inventory/config/instances/blocked-fields', {}, signal),
  staleTime: 10 * 60_000,
})

const LISTS = [
  'instanceTypes',
  'instanceStatuses',
  'modesOfIssuance',
  'identifierTypes',
  'contributorNameTypes',
  'contributorTypes',
] as const

export async function loader(id: string | undefined, like?: string) {
  const known = id ?? like
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory'),
    loadLists(...LISTS),
    queryClient.ensureQueryData(blockedQuery),
    // A form must begin with what is stored now, not with what was cached.
    known && queryClient.fetchQuery({ ...instanceQuery(known), staleTime: 0 }),
  ])
}

/** What a new title takes over from another one: not its numbers, not its links to others. */
function copyOf(instance: Instance): Partial<Instance> {
  const { id, hrid, _version, metadata, ...rest } = instance
  return {
    ...rest,
    source: 'FOLIO',
    parentInstances: [],
    childInstances: [],
    precedingTitles: [],
    succeedingTitles: [],
  }
}

export function InstanceFormPage() {
  const t = useText()
  const { like } = useSearch({ from: '/shell/inventory/new' })
  const found = like ? queryClient.getQueryData(instanceQuery(like).queryKey) : undefined
  const record = useMemo(() => (found ? copyOf(found) : { source: 'FOLIO' }) as Instance, [found])
  const parts = useMemo(() => instanceParts(t), [t])
  return (
    <RecordForm<Instance>
      title={t('inventory.newInstance')}
      path={<RecordPath kind={t('inventory.instance')} />}
      record={record}
      parts={parts}
      save={async (next) => {
        // The answer has no body; the id is chosen here, so that the new record can be shown.
        const id = crypto.randomUUID()
        await post('/inventory/instances', { ...wiredTitles(next), id })
        return { to: `/inventory/${id}` }
      }}
    />
  )
}

export function InstanceEditPage() {
  const t = useText()
  const { instanceId } = useParams({ from: '/shell/inventory/$instanceId/edit' })
  const instance = useLoaded(instanceQuery(instanceId))
  const { blockedFields } = useLoaded(blockedQuery)
  const parts = useMemo(() => instanceParts(t), [t])
  return (
    <RecordForm<Instance>
      key={instance.id}
      title={t('inventory.editOf', { name: instance.title })}
      path={
        <RecordPath
          kind={t('inventory.edit')}
          hrid={instance.hrid}
          title={{ id: instance.id, text: instance.title }}
        />
      }
      record={instance}
      parts={parts}
      locked={
        instance.source === 'MARC'
          ? { names: blockedFields, reason: t('inventory.fromMarc') }
          : undefined
      }
      save={async (next) => {
        await put(`/inventory/instances/${instanceId}`, wiredTitles(next))
        return { to: `/inventory/${instanceId}` }
      }}
      current={() => get<Instance>(`/inventory/instances/${instanceId}`)}
    />
  )
}
