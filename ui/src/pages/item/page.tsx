// An item: what it is, where it stands, who has it, who waits for it.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { loadLists, useNames } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import { HistoryButton } from '#/history/HistoryButton'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { effectiveCallNumber } from '#/inventory/callNumber'
import { instanceQuery, loansQuery, requestsQuery, storedItemQuery } from '#/inventory/queries'
import { RecordPath } from '#/inventory/RecordPath'
import { StatusState } from '#/inventory/StatusState'
import { useItemActs } from '#/inventory/useItemActs'
import { usePermission } from '#/inventory/usePermission'
import { usePlace } from '#/inventory/usePlace'
import { useCommands } from '#/keys/useCommands'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { Menu } from '#/ui/Menu'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Circulation } from './Circulation'
import { ItemSections } from './ItemSections'

interface Params {
  instanceId: string
  itemId: string
}

export async function loader({ instanceId, itemId }: Params) {
  await Promise.all([
    loadTexts('lists', 'inventory'),
    queryClient.ensureQueryData(instanceQuery(instanceId)),
    queryClient.ensureQueryData(storedItemQuery(itemId)),
    loadLists('locations', 'libraries', 'materialTypes', 'loanTypes'),
  ])
}

export function ItemPage() {
  const t = useText()
  const navigate = useNavigate()
  const params = useParams({ from: '/shell/inventory/$instanceId/items/$itemId' })
  const instance = useLoaded(instanceQuery(params.instanceId))
  const item = useLoaded(storedItemQuery(params.itemId))
  const { data: loans } = useQuery(loansQuery([item.id]))
  const { data: requests } = useQuery(requestsQuery(params.instanceId))
  const place = usePlace()
  const names = useNames('materialTypes', 'loanTypes')
  const may = usePermission('inventory.items.item.put')
  const label = t('inventory.moreActions')
  const gone = () =>
    navigate({
      to: '/inventory/$instanceId',
      params: { instanceId: params.instanceId },
      search: {},
    })
  const { acts, dialogs } = useItemActs(params.instanceId, item, gone)
  const edit = () => void navigate({ to: '/inventory/$instanceId/items/$itemId/edit', params })
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
  const sub = [
    names('materialTypes', item.materialTypeId),
    effectiveCallNumber(item.effectiveCallNumberComponents),
    place(item.effectiveLocationId),
  ].filter(Boolean)
  return (
    <>
      <RecordHead
        title={item.barcode ?? t('inventory.noBarcode')}
        path={
          <RecordPath
            kind={t('inventory.item')}
            hrid={item.hrid}
            title={{ id: instance.id, text: instance.title }}
          />
        }
        sub={
          <span className="row wrap">
            <StatusState status={item.status.name} />
            <bdi>{sub.join(' · ')}</bdi>
          </span>
        }
      >
        <Button icon="pencil" keys="Alt+E" disabled={may.reason} onPress={edit}>
          {t('inventory.edit')}
        </Button>
        <HistoryButton kind="item" id={item.id} name={item.barcode ?? item.hrid ?? ''} />
        <Menu
          label={label}
          trigger={<Button icon="ellipsis" aria-label={label} />}
          acts={acts.filter((act) => act === 'line' || act.id !== 'edit')}
        />
        {dialogs}
      </RecordHead>
      <div className={cx(page.split, page.record)}>
        <div className={cx(page.body, 'stack wide')}>
          <ItemSections item={item} />
        </div>
        <aside className={cx(page.side, 'stack far')} aria-label={t('inventory.circulation')}>
          <Circulation
            item={item}
            loan={loans?.get(item.id)}
            requests={(requests ?? []).filter((one) => one.itemId === item.id)}
          />
          <section className="stack">
            <h2>{t('inventory.instance')}</h2>
            <p>
              <bdi>{instance.title}</bdi>
            </p>
            <p className="sm muted">
              <Code plain>{instance.hrid ?? ''}</Code>
            </p>
          </section>
        </aside>
      </div>
    </>
  )
}
