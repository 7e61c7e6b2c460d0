// The MARC editor of holdings, and of holdings that are added to a title.
import { useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { loadLists, useList } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { holdingsRecordQuery, instanceQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import { usePlace } from '#/inventory/usePlace'
import { blankHoldings } from '#/marc/blank'
import { checkHoldings } from '#/marc/holdings'
import { marcQuery } from '#/marc/queries'
import type { Draft } from '#/marc/useEditor'
import { Editor } from './Editor'

interface Params {
  instanceId: string
  holdingsId: string
}

const NEW = 'new'

export async function loader({ instanceId, holdingsId }: Params) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory'),
    loadLists('locations', 'libraries'),
    queryClient.ensureQueryData(instanceQuery(instanceId)),
    // What is stored now, not what was cached.
    ...(holdingsId === NEW
      ? []
      : [
          queryClient.fetchQuery({ ...holdingsRecordQuery(holdingsId), staleTime: 0 }),
          queryClient.fetchQuery({ ...marcQuery(holdingsId), staleTime: 0 }),
        ]),
  ])
}

export function HoldingsMarcEditorPage() {
  const params = useParams({ from: '/shell/inventory/$instanceId/holdings/$holdingsId/marc/edit' })
  return params.holdingsId === NEW ? (
    <Fresh instanceId={params.instanceId} />
  ) : (
    <Stored key={params.holdingsId} {...params} />
  )
}

function useChecks() {
  const t = useText()
  const locations = useList('locations')
  return useMemo(() => {
    const codes = new Set(locations.flatMap(({ code }) => code ?? []))
    return ({ lines }: Draft) => checkHoldings(lines, codes, t)
  }, [locations, t])
}

function Stored({ instanceId, holdingsId }: Params) {
  const t = useText()
  const navigate = useNavigate()
  const instance = useLoaded(instanceQuery(instanceId))
  const holdings = useLoaded(holdingsRecordQuery(holdingsId))
  const record = useLoaded(marcQuery(holdingsId))
  const place = usePlace()
  return (
    <Editor
      title={t('inventory.editMarcOfHoldings')}
      path={
        <RecordPath
          kind="MARC"
          hrid={record.externalHrid}
          title={{ id: instanceId, text: instance.title }}
          holdings={{
            id: holdingsId,
            text: place(holdings.effectiveLocationId ?? holdings.permanentLocationId),
          }}
        />
      }
      record={record}
      version={holdings._version}
      checks={useChecks()}
      onSaved={() =>
        navigate({
          to: '/inventory/$instanceId/holdings/$holdingsId',
          params: { instanceId, holdingsId },
        })
      }
    />
  )
}

function Fresh({ instanceId }: { instanceId: string }) {
  const t = useText()
  const navigate = useNavigate()
  const instance = useLoaded(instanceQuery(instanceId))
  const [record] = useState(() => blankHoldings(instance.hrid ?? ''))
  return (
    <Editor
      title={t('inventory.newMarcHoldings')}
      path={<RecordPath kind="MARC" title={{ id: instanceId, text: instance.title }} />}
      record={record}
      checks={useChecks()}
      onSaved={(holdingsId) =>
        navigate({
          to: '/inventory/$instanceId/holdings/$holdingsId',
          params: { instanceId, holdingsId },
        })
      }
    />
  )
}
