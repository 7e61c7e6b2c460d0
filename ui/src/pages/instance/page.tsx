// A title with its holdings and items first, then what describes it, and who waits for it.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { loadLists } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import { HistoryButton } from '#/history/HistoryButton'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { holdingsQuery, instanceQuery, requestsQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import { usePermission } from '#/inventory/usePermission'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Skeleton } from '#/ui/Skeleton'
import { Tabs } from '#/ui/Tabs'
import { Description } from './Description'
import { HoldingsList } from './HoldingsList'
import { InShort } from './InShort'
import { InstanceMenu } from './InstanceMenu'
import { useTitleLine } from './useTitleLine'
import { Waiting } from './Waiting'

/** With its texts: few titles have orders, and few ask for them. */
const Orders = lazy(async () => {
  const [{ Orders }] = await Promise.all([import('./Orders'), loadTexts('acquisitions')])
  return { default: Orders }
})

const TABS = ['items', 'description', 'requests', 'orders'] as const

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory'),
    queryClient.ensureQueryData(instanceQuery(id)),
    queryClient.ensureQueryData(holdingsQuery(id)),
    loadLists('locations', 'libraries', 'instanceTypes', 'identifierTypes', 'holdingsSources'),
  ])
}

export function InstancePage() {
  const t = useText()
  const { number } = useFormats()
  const { instanceId } = useParams({ from: '/shell/inventory/$instanceId' })
  const { tab } = useSearch({ from: '/shell/inventory/$instanceId' })
  const navigate = useNavigate()
  const instance = useLoaded(instanceQuery(instanceId))
  const holdings = useLoaded(holdingsQuery(instanceId))
  const { data: requests } = useQuery(requestsQuery(instanceId))
  const mayEdit = usePermission('inventory.instances.item.put')
  const mayAdd = usePermission('inventory.items.item.post')
  const line = useTitleLine(instance)
  const params = { instanceId }
  const isMarc = instance.source === 'MARC'
  const current = TABS.find((one) => one === tab) ?? 'items'
  // What MARC controls is edited in the record it comes from.
  const edit = () => void navigate({ to: '/inventory/$instanceId/edit', params })
  const marc = () => void navigate({ to: '/inventory/$instanceId/marc', params })
  const add = () =>
    void navigate({
      to: '/inventory/$instanceId/items/new',
      params,
      search: { holdings: holdings[0]?.id },
    })
  const addReason = mayAdd.reason ?? (holdings.length ? undefined : t('inventory.holdingsFirst'))
  useCommands([
    {
      id: 'record.edit',
      title: 'inventory.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: mayEdit.reason,
      run: edit,
    },
    {
      id: 'record.marc',
      title: 'inventory.marc',
      group: 'page',
      keys: 'Alt+M',
      disabled: isMarc ? undefined : t('inventory.noMarc'),
      run: marc,
    },
    {
      id: 'record.addItem',
      title: 'inventory.addItem',
      group: 'page',
      keys: 'Alt+N',
      disabled: addReason,
      run: add,
    },
  ])
  return (
    <>
      <RecordHead
        title={instance.title}
        path={<RecordPath kind={t('inventory.instance')} hrid={instance.hrid} />}
        sub={<bdi>{line}</bdi>}
      >
        <Button icon="pencil" keys="Alt+E" disabled={mayEdit.reason} onPress={edit}>
          {t('inventory.edit')}
        </Button>
        <Button
          icon="file-pen-line"
          disabled={isMarc ? undefined : t('inventory.noMarc')}
          onPress={marc}
        >
          MARC
        </Button>
        <Button kind="primary" icon="plus" disabled={addReason} onPress={add}>
          {t('inventory.addItem')}
        </Button>
        <HistoryButton kind="instance" id={instance.id} name={instance.title} />
        <InstanceMenu instance={instance} hasHoldings={holdings.length > 0} />
      </RecordHead>
      <Tabs
        label={t('inventory.parts')}
        current={current}
        linkOf={(id) => ({
          to: '/inventory/$instanceId',
          params,
          search: { tab: id === 'items' ? undefined : id },
        })}
        tabs={TABS.map((id) => ({
          id,
          title: t(`inventory.tab.${id}`),
          count: id === 'requests' && requests?.length ? number(requests.length) : undefined,
        }))}
      />
      <div className={cx(page.split, page.record)}>
        <div className={cx(page.body, page.first, 'stack far')}>
          {instance.staffSuppress || instance.discoverySuppress || instance.deleted ? (
            <Note kind="fee" bar>
              <p>
                {[
                  instance.deleted && t('inventory.setForDeletion'),
                  instance.staffSuppress && t('inventory.staffSuppressed'),
                  instance.discoverySuppress && t('inventory.suppressed'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </Note>
          ) : null}
          {current === 'items' ? (
            <HoldingsList instance={instance} holdings={holdings} requests={requests ?? []} />
          ) : current === 'description' ? (
            <Description instance={instance} />
          ) : current === 'requests' ? (
            <Waiting instanceId={instanceId} />
          ) : (
            <Suspense fallback={<Skeleton share={18} />}>
              <Orders instanceId={instanceId} />
            </Suspense>
          )}
        </div>
        <aside className={cx(page.side, 'stack far')} aria-label={t('inventory.inShort')}>
          <InShort instance={instance} />
        </aside>
      </div>
    </>
  )
}
