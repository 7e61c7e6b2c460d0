// The MARC record of holdings, to read.
import { useNavigate, useParams } from '@tanstack/react-router'
import { loadLists } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import { HistoryButton } from '#/history/HistoryButton'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { callNumberOf } from '#/inventory/callNumber'
import { holdingsRecordQuery, instanceQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import { usePlace } from '#/inventory/usePlace'
import { MarcReading } from '#/marc/MarcReading'
import { marcQuery } from '#/marc/queries'

interface Params {
  instanceId: string
  holdingsId: string
}

export async function loader({ instanceId, holdingsId }: Params) {
  await Promise.all([
    loadTexts('lists', 'inventory'),
    loadLists('locations', 'libraries'),
    queryClient.ensureQueryData(instanceQuery(instanceId)),
    queryClient.ensureQueryData(holdingsRecordQuery(holdingsId)),
    queryClient.ensureQueryData(marcQuery(holdingsId)),
  ])
}

export function HoldingsMarcPage() {
  const t = useText()
  const navigate = useNavigate()
  const params = useParams({ from: '/shell/inventory/$instanceId/holdings/$holdingsId/marc' })
  const instance = useLoaded(instanceQuery(params.instanceId))
  const holdings = useLoaded(holdingsRecordQuery(params.holdingsId))
  const record = useLoaded(marcQuery(params.holdingsId))
  const place = usePlace()
  const edit = () =>
    void navigate({ to: '/inventory/$instanceId/holdings/$holdingsId/marc/edit', params })
  return (
    <MarcReading
      title={t('inventory.marcOfHoldings')}
      path={
        <RecordPath
          kind="MARC"
          hrid={record.externalHrid}
          title={{ id: instance.id, text: instance.title }}
          holdings={{
            id: holdings.id,
            text: place(holdings.effectiveLocationId ?? holdings.permanentLocationId),
          }}
        />
      }
      record={record}
      onEdit={edit}
    >
      {/* The server keeps no history of these MARC records, as FOLIO: that of the holdings has what they change. */}
      <HistoryButton
        kind="holdings"
        id={holdings.id}
        name={callNumberOf(holdings) || (holdings.hrid ?? '')}
      />
    </MarcReading>
  )
}
