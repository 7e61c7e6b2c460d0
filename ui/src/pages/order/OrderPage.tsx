// An order with its lines and sums: opened, closed, reopened, taken back; invoiced.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { addressesQuery } from '#/acquisitions/addresses'
import { useCustomLines } from '#/acquisitions/customFields'
import { userLookup } from '#/acquisitions/form/lookups'
import { useMoney } from '#/acquisitions/money'
import { orderQuery } from '#/acquisitions/orders'
import { organizationOf, unitsQuery } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import { tagsOf } from '#/acquisitions/Tags'
import { templateQuery } from '#/acquisitions/templates'
import { useWord } from '#/acquisitions/words'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { nameQuery } from '#/inventory/form/LookupChoice'
import { useFormats } from '#/lib/format'
import { Description } from '#/ui/Description'
import { type Figure, Figures } from '#/ui/Figures'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { Invoices } from './Invoices'
import { Lines } from './Lines'
import { OrderActs } from './OrderActs'
import { OrderTask, type Task } from './OrderTask'
import { ReEncumber } from './ReEncumber'

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions'),
    queryClient.ensureQueryData(orderQuery(id)),
  ])
}

export function OrderPage() {
  const t = useText()
  const word = useWord()
  const money = useMoney()
  const { day, number } = useFormats()
  const navigate = useNavigate()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const order = useLoaded(orderQuery(id))
  const { data: vendors } = useQuery(organizationOf(order.vendor))
  const { data: template } = useQuery(templateQuery(order.template))
  const { data: units } = useQuery({ ...unitsQuery, enabled: Boolean(order.acqUnitIds?.length) })
  const { data: addresses } = useQuery({
    ...addressesQuery,
    enabled: Boolean(order.billTo ?? order.shipTo),
  })
  const own = useCustomLines('purchase_order', order.customFields)
  const address = (id: string | undefined) => addresses?.find((one) => one.id === id)?.name
  const { data: assigned } = useQuery(nameQuery(userLookup, order.assignedTo))
  const [task, setTask] = useState<Task>()
  const figure = (label: string, amount: number | undefined): Figure[] =>
    amount === undefined ? [] : [{ label, value: money(amount) }]
  return (
    <>
      <RecordHead
        title={t('acq.orderOf', { number: order.poNumber ?? '' })}
        path={
          <>
            <Link to="/orders" search={{}}>
              {t('shell.orders')}
            </Link>{' '}
            /{' '}
            <Link to="/organizations/$id" params={{ id: order.vendor }}>
              <bdi>{vendors?.[0]?.name ?? t('acq.vendor')}</bdi>
            </Link>
          </>
        }
        sub={<StateOf value={order.workflowStatus} />}
      >
        <OrderActs order={order} onTask={setTask} />
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          {task ? (
            <OrderTask
              key={task}
              order={order}
              task={task}
              onClose={async (deleted) => {
                if (deleted) await navigate({ to: '/orders', search: {} })
                else setTask(undefined)
              }}
            />
          ) : null}
          {order.needReEncumber ? (
            <Note kind="fee">
              <p>{t('acq.needReEncumber')}</p>
              <ReEncumber order={order} />
            </Note>
          ) : null}
          <Figures
            figures={[
              ...figure(t('acq.estimated'), order.totalEstimatedPrice),
              ...figure(t('acq.sum.encumbered'), order.totalEncumbered),
              ...figure(t('acq.expended'), order.totalExpended),
              ...figure(t('acq.sum.credits'), order.totalCredited || undefined),
              ...(order.totalItems === undefined
                ? []
                : [{ label: t('acq.copies'), value: number(order.totalItems) }]),
            ]}
          />
          <Lines order={order} />
          <Invoices order={order} />
          <Section title={t('acq.summary')}>
            <Description
              lines={[
                [t('acq.orderType'), word(order.orderType)],
                [t('ord.template'), template?.templateName],
                [
                  t('ord.units'),
                  units
                    ?.filter((one) => order.acqUnitIds?.includes(one.id))
                    .map((one) => one.name)
                    .join(', '),
                ],
                [t('ord.assignedTo'), assigned],
                [t('ord.billTo'), address(order.billTo)],
                [t('ord.shipTo'), address(order.shipTo)],
                [t('acq.ordered'), order.dateOrdered && day(order.dateOrdered)],
                [t('acq.approved'), order.approved ? t('acq.yes') : undefined],
                [t('acq.closeReason'), order.closeReason?.reason],
                [t('acq.note'), order.closeReason?.note],
                [t('acq.notes'), order.notes?.join('; ')],
                [t('acq.tags'), tagsOf(order)],
                ...own,
                [t('acq.created'), order.metadata?.createdDate && day(order.metadata.createdDate)],
              ]}
            />
          </Section>
        </div>
      </div>
    </>
  )
}
