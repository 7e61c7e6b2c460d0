// Orders, their lines, and the titles to receive.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { RecordList } from '#/acquisitions/list/RecordList'
import type { ListSearch } from '#/acquisitions/list/search'
import { sourceOf } from '#/acquisitions/list/source'
import type { FacetOf } from '#/acquisitions/list/useListFacets'
import { useOrganizationNames } from '#/acquisitions/queries'
import type { Order, OrderLine } from '#/acquisitions/types'
import { FORMAT, ORDER, ORDER_TYPE, PAYMENT, RECEIPT, useChoices } from '#/acquisitions/words'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Head } from '#/ui/Page'
import type { Column } from '#/ui/Table'
import { Tabs } from '#/ui/Tabs'
import { firstWindow, type Windows } from '#/ui/useWindows'
import { FromTemplate } from './FromTemplate'
import { KINDS, VIEWS, type View, viewOf } from './kinds'
import { useLineColumns } from './useLineColumns'
import { useOrderColumns } from './useOrderColumns'

type Row = Order | OrderLine

export async function loader(search: ListSearch) {
  await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions'),
    queryClient.ensureQueryData(firstWindow(sourceOf<Row>(KINDS[viewOf(search.view)], search))),
  ])
}

export function OrdersPage() {
  const t = useText()
  const choices = useChoices()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as ListSearch
  const view = viewOf(search.view)
  const { reason } = useNeeds('orders.item.post')
  const orderColumns = useOrderColumns()
  const lineColumns = useLineColumns()
  const vendor = useOrganizationNames(search.of ?? [])
  const add = () => void navigate({ to: '/orders/$id/edit', params: { id: 'new' } })
  useCommands([
    {
      id: 'acq.newOrder',
      title: 'acq.newOrder',
      group: 'page',
      keys: 'Alt+N',
      disabled: reason,
      run: add,
    },
  ])
  const facets: Record<View, FacetOf[]> = {
    orders: [
      { id: 'status', title: t('acq.status'), values: choices(ORDER) },
      { id: 'kind', title: t('acq.orderType'), values: choices(ORDER_TYPE) },
      // A vendor comes from its page only: there are too many to offer.
      ...(search.of
        ? [
            {
              id: 'of' as const,
              title: t('acq.vendor'),
              values: search.of.map((value) => ({ value, text: vendor(value) ?? value })),
            },
          ]
        : []),
    ],
    lines: [
      { id: 'status', title: t('acq.paymentStatus'), values: choices(PAYMENT) },
      { id: 'kind', title: t('acq.format'), values: choices(FORMAT) },
    ],
    receiving: [
      { id: 'status', title: t('acq.receiptStatus'), values: choices(RECEIPT) },
      { id: 'kind', title: t('acq.format'), values: choices(FORMAT) },
    ],
  }
  return (
    <RecordList<Row>
      key={view}
      kind={KINDS[view]}
      search={search}
      label={t(`acq.orders.${view}`)}
      words={t(view === 'orders' ? 'acq.findOrders' : 'acq.findLines')}
      icon="shopping-cart"
      none={t('acq.none')}
      facets={facets[view]}
      columns={(rows) =>
        (view === 'orders'
          ? orderColumns(rows as Windows<Order>)
          : lineColumns(view)) as unknown as Column<Row>[]
      }
      nameOf={(one) => ('titleOrPackage' in one ? one.titleOrPackage : (one.poNumber ?? ''))}
      onChange={(patch) =>
        void navigate({ to: '/orders', search: { ...search, ...patch }, replace: true })
      }
      onOpen={(one) =>
        'titleOrPackage' in one
          ? void navigate({
              to: '/orders/$id/lines/$lineId',
              params: { id: one.purchaseOrderId, lineId: one.id },
            })
          : void navigate({ to: '/orders/$id', params: { id: one.id } })
      }
    >
      <Head title={t('shell.orders')}>
        <FromTemplate reason={reason} />
        <Button kind="primary" icon="plus" keys="Alt+N" disabled={reason} onPress={add}>
          {t('acq.newOrder')}
        </Button>
      </Head>
      <Tabs
        label={t('acq.lists')}
        current={view}
        linkOf={(id) => ({
          to: '/orders',
          search: { view: id === 'orders' ? undefined : id } as never,
        })}
        tabs={VIEWS.map((id) => ({ id, title: t(`acq.orders.${id}`) }))}
      />
    </RecordList>
  )
}
