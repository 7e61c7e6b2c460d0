// Holdings: where the title stands, under which shelf mark, and what the library has of it.
import { useNavigate, useParams } from '@tanstack/react-router'
import { loadLists, useNames } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import { HistoryButton } from '#/history/HistoryButton'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { callNumberOf } from '#/inventory/callNumber'
import { FactSection } from '#/inventory/FactSection'
import { lines } from '#/inventory/Facts'
import { Links } from '#/inventory/Links'
import { Notes } from '#/inventory/Notes'
import { holdingsRecordQuery, instanceQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import { useIsMarc } from '#/inventory/useIsMarc'
import { usePermission } from '#/inventory/usePermission'
import { usePlace } from '#/inventory/usePlace'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
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
    queryClient.ensureQueryData(instanceQuery(instanceId)),
    queryClient.ensureQueryData(holdingsRecordQuery(holdingsId)),
    loadLists('locations', 'libraries', 'holdingsTypes', 'holdingsSources', 'callNumberTypes'),
  ])
}

export function HoldingsPage() {
  const t = useText()
  const formats = useFormats()
  const navigate = useNavigate()
  const params = useParams({ from: '/shell/inventory/$instanceId/holdings/$holdingsId' })
  const instance = useLoaded(instanceQuery(params.instanceId))
  const holdings = useLoaded(holdingsRecordQuery(params.holdingsId))
  const place = usePlace()
  const may = usePermission('inventory-storage.holdings.item.put')
  const names = useNames(
    'holdingsTypes',
    'holdingsSources',
    'callNumberTypes',
    'illPolicies',
    'statisticalCodes',
    'holdingsNoteTypes',
  )
  const isMarc = useIsMarc()(holdings)
  const edit = () =>
    void navigate({ to: '/inventory/$instanceId/holdings/$holdingsId/edit', params })
  const marc = () =>
    void navigate({ to: '/inventory/$instanceId/holdings/$holdingsId/marc', params })
  useCommands([
    {
      id: 'record.edit',
      title: 'inventory.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: may.reason,
      run: edit,
    },
    {
      id: 'record.marc',
      title: 'inventory.marcOfHoldings',
      group: 'page',
      keys: 'Alt+M',
      disabled: isMarc ? undefined : t('inventory.noMarcOfHoldings'),
      run: marc,
    },
  ])
  const flag = (on: boolean | undefined) => t(on ? 'inventory.yes' : 'inventory.no')
  const code = (text: string | undefined) => (text ? <Code plain>{text}</Code> : undefined)
  return (
    <>
      <RecordHead
        title={place(holdings.effectiveLocationId ?? holdings.permanentLocationId)}
        path={
          <RecordPath
            kind={t('inventory.holdings')}
            hrid={holdings.hrid}
            title={{ id: instance.id, text: instance.title }}
          />
        }
        sub={<Code plain>{callNumberOf(holdings)}</Code>}
      >
        <Button icon="pencil" keys="Alt+E" disabled={may.reason} onPress={edit}>
          {t('inventory.edit')}
        </Button>
        <Button
          icon="file-pen-line"
          disabled={isMarc ? undefined : t('inventory.noMarcOfHoldings')}
          onPress={marc}
        >
          MARC
        </Button>
        <HistoryButton
          kind="holdings"
          id={holdings.id}
          name={callNumberOf(holdings) || (holdings.hrid ?? '')}
        />
      </RecordHead>
      <div className={cx(page.pane, page.body, 'stack wide')}>
        <FactSection
          title={t('inventory.location')}
          facts={[
            [t('inventory.permanentLocation'), place(holdings.permanentLocationId)],
            [t('inventory.temporaryLocation'), place(holdings.temporaryLocationId)],
            [t('inventory.shelvingTitle'), holdings.shelvingTitle],
            [t('inventory.by.callNumber'), code(callNumberOf(holdings))],
            [t('inventory.callNumberType'), names('callNumberTypes', holdings.callNumberTypeId)],
            [t('inventory.copy'), holdings.copyNumber],
          ]}
        />
        <FactSection
          title={t('inventory.statements')}
          facts={[
            [
              t('inventory.statements'),
              lines(
                holdings.holdingsStatements?.map((one) =>
                  [one.statement, one.note].filter(Boolean).join(' · '),
                ),
              ),
            ],
            [t('inventory.numberOfItems'), holdings.numberOfItems],
            [t('inventory.illPolicy'), names('illPolicies', holdings.illPolicyId)],
            [t('inventory.retention'), holdings.retentionPolicy],
            [t('inventory.acquisitionMethod'), holdings.acquisitionMethod],
            [t('inventory.receiptStatus'), holdings.receiptStatus],
          ]}
        />
        <FactSection
          title={t('inventory.administrative')}
          facts={[
            [t('inventory.hrid'), code(holdings.hrid)],
            [t('inventory.source'), names('holdingsSources', holdings.sourceId)],
            [
              t('inventory.facet.holdings_holdingsTypeId'),
              names('holdingsTypes', holdings.holdingsTypeId),
            ],
            [t('inventory.facet.discoverySuppress'), flag(holdings.discoverySuppress)],
            [
              t('inventory.codes'),
              lines(holdings.statisticalCodeIds?.map((id) => names('statisticalCodes', id))),
            ],
            [t('inventory.administrativeNotes'), lines(holdings.administrativeNotes)],
            [t('inventory.created'), formats.day(holdings.metadata?.createdDate ?? '')],
            [t('inventory.updated'), formats.day(holdings.metadata?.updatedDate ?? '')],
          ]}
        />
        <Notes
          notes={(holdings.notes ?? []).map((one) => ({
            ...one,
            type: names('holdingsNoteTypes', one.holdingsNoteTypeId),
          }))}
        />
        <Links links={holdings.electronicAccess} />
      </div>
    </>
  )
}
