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
import { usePermission } from '#/inventory/usePermission'
import { usePlace } from '#/inventory/usePlace'
import { useCommands } from '#/keys/useCommands'
import { MarcLines } from '#/marc/MarcLines'
import { marcQuery } from '#/marc/queries'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'

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
  const may = usePermission('marc-records-editor.item.put')
  const edit = () =>
    void navigate({ to: '/inventory/$instanceId/holdings/$holdingsId/marc/edit', params })
  useCommands([
    {
      id: 'record.edit',
      title: 'inventory.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: may.reason,
      run: edit,
    },
  ])
  return (
    <>
      <RecordHead
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
      >
        <Button kind="primary" icon="pencil" keys="Alt+E" disabled={may.reason} onPress={edit}>
          {t('inventory.edit')}
        </Button>
        {/* The server keeps no history of these MARC records, as FOLIO: that of the holdings has what they change. */}
        <HistoryButton
          kind="holdings"
          id={holdings.id}
          name={callNumberOf(holdings) || (holdings.hrid ?? '')}
        />
      </RecordHead>
      <section
        className={cx(page.pane, page.body)}
        aria-label={t('inventory.fields')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it takes the focus, and it scrolls.
        tabIndex={0}
      >
        <MarcLines record={record} />
      </section>
    </>
  )
}
