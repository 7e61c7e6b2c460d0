// A line of an order: what is bought, for whom, who pays, and its pieces: received, taken back, checked in.
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '#/acquisitions/money'
import { lineQuery, orderQuery, piecesQuery, titlesQuery } from '#/acquisitions/orders'
import { Shares } from '#/acquisitions/Shares'
import { StateOf } from '#/acquisitions/StateOf'
import { useWord } from '#/acquisitions/words'
import { loadLists } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import { HistoryButton } from '#/history/HistoryButton'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { type Figure, Figures } from '#/ui/Figures'
import { Menu } from '#/ui/Menu'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { CancelLine } from './CancelLine'
import { DeleteLine } from './DeleteLine'
import { Facts } from './Facts'
import { LinkTitle } from './LinkTitle'
import { Locations } from './Locations'
import { Pieces } from './Pieces'
import { RoutingLists } from './RoutingLists'
import { Titles } from './Titles'

export async function loader(id: string, lineId: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions'),
    loadLists('locations'),
    queryClient.ensureQueryData(orderQuery(id)),
    queryClient.ensureQueryData(lineQuery(lineId)),
    queryClient.ensureQueryData(titlesQuery(lineId)),
    queryClient.ensureQueryData(piecesQuery(lineId)),
  ])
}

export function OrderLinePage() {
  const t = useText()
  const word = useWord()
  const money = useMoney()
  const navigate = useNavigate()
  const { id = '', lineId = '' } = useParams({ strict: false }) as { id?: string; lineId?: string }
  const order = useLoaded(orderQuery(id))
  const line = useLoaded(lineQuery(lineId))
  const pieces = useLoaded(piecesQuery(lineId))
  const titles = useLoaded(titlesQuery(lineId))
  const { title: titleId } = useSearch({ strict: false }) as { title?: string }
  const title = titles.find((one) => one.id === titleId)
  const [task, setTask] = useState<'cancel' | 'link' | 'delete'>()
  const close = () => setTask(undefined)
  const link = useNeeds('orders.po-lines.item.patch').reason
  const remove = useNeeds('orders.po-lines.item.delete').reason
  const { reason } = useNeeds('orders.po-lines.item.put')
  const edit = () => void navigate({ to: '/orders/$id/lines/$lineId/edit', params: { id, lineId } })
  useCommands([
    {
      id: 'acq.edit',
      title: 'acq.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: reason,
      run: edit,
    },
  ])
  const isOver = line.paymentStatus === 'Cancelled' && line.receiptStatus === 'Cancelled'
  const { cost } = line
  const figure = (label: string, amount: number | undefined, copies?: number): Figure[] =>
    amount === undefined
      ? []
      : [
          {
            label,
            value: money(amount, cost.currency),
            remark: copies ? t('acq.times', { count: copies }) : undefined,
          },
        ]
  return (
    <>
      <RecordHead
        title={line.titleOrPackage}
        path={
          <>
            <Link to="/orders" search={{}}>
              {t('shell.orders')}
            </Link>{' '}
            /{' '}
            <Link to="/orders/$id" params={{ id }}>
              <bdi>{order.poNumber}</bdi>
            </Link>{' '}
            / <bdi>{line.poLineNumber}</bdi>
          </>
        }
        sub={
          <span className="row wrap wide">
            <StateOf value={line.receiptStatus} />
            {line.paymentStatus === line.receiptStatus ? null : (
              <StateOf value={line.paymentStatus} />
            )}
          </span>
        }
      >
        <Button icon="pencil" keys="Alt+E" disabled={reason} onPress={edit}>
          {t('acq.edit')}
        </Button>
        <Button
          kind="danger"
          icon="x"
          disabled={
            reason ??
            (isOver
              ? t('acq.isCancelled')
              : order.workflowStatus === 'Open'
                ? undefined
                : t('acq.onlyOpen'))
          }
          onPress={() => setTask('cancel')}
        >
          {t('acq.cancelLine')}
        </Button>
        <HistoryButton
          kind="orderLine"
          id={line.id}
          name={line.poLineNumber ?? line.titleOrPackage}
          word={word}
        />
        <Menu
          label={t('acq.more')}
          acts={[
            {
              id: 'link',
              text: t('ord.linkTitleAct'),
              icon: 'link',
              disabled: link ?? (line.isPackage ? t('ord.titlesHaveLinks') : undefined),
              run: () => setTask('link'),
            },
            'line',
            {
              id: 'delete',
              text: t('ord.deleteLine'),
              icon: 'trash-2',
              disabled: remove,
              run: () => setTask('delete'),
            },
          ]}
          trigger={<Button icon="ellipsis" aria-label={t('acq.more')} />}
        />
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          {task === 'cancel' ? <CancelLine line={line} onClose={close} /> : null}
          {task === 'link' ? <LinkTitle line={line} onClose={close} /> : null}
          {task === 'delete' ? <DeleteLine orderId={id} line={line} onClose={close} /> : null}
          {line.isPackage ? (
            <Titles orderId={id} line={line} titles={titles} pieces={pieces} chosen={title?.id} />
          ) : null}
          <Pieces
            key={title?.id}
            order={order}
            line={line}
            titles={titles}
            pieces={pieces}
            title={title}
          />
          {/Physical|P\/E/.test(line.orderFormat) ? <RoutingLists line={line} /> : null}
          <Section title={t('acq.money')}>
            <div className="stack wide">
              <Figures
                figures={[
                  ...figure(t('acq.estimated'), cost.poLineEstimatedPrice),
                  ...figure(t('acq.unitPrice'), cost.listUnitPrice, cost.quantityPhysical),
                  ...figure(
                    t('acq.unitPriceElectronic'),
                    cost.listUnitPriceElectronic,
                    cost.quantityElectronic,
                  ),
                  ...figure(t('acq.additionalCost'), cost.additionalCost),
                ]}
              />
              <Shares shares={line.fundDistribution ?? []} currency={cost.currency} />
            </div>
          </Section>
          <Locations line={line} />
          <Facts line={line} />
        </div>
      </div>
    </>
  )
}
