// An order is made or changed. Its lines have a form of their own.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AcqForm, useEdited } from '#/acquisitions/form/AcqForm'
import { organizationLookup } from '#/acquisitions/form/fields'
import { ORDERS, orderQuery } from '#/acquisitions/orders'
import type { Order } from '#/acquisitions/types'
import { ORDER_TYPE, useChoices } from '#/acquisitions/words'
import { post, put } from '#/api/client'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import type { Part } from '#/inventory/form/specs'

const NEW = { orderType: 'One-Time' } as Order

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions'),
    id !== 'new' && queryClient.fetchQuery(orderQuery(id)),
  ])
}

export function OrderForm() {
  const t = useText()
  const choices = useChoices()
  const id = useEdited()
  const { data } = useQuery({ ...orderQuery(id ?? ''), enabled: false })
  const parts = useMemo(
    (): Part[] => [
      {
        title: t('acq.summary'),
        fields: [
          {
            name: 'vendor',
            label: t('acq.vendor'),
            kind: 'lookup',
            lookup: organizationLookup,
            needed: true,
          },
          {
            name: 'orderType',
            label: t('acq.orderType'),
            kind: 'choice',
            choices: choices(ORDER_TYPE),
            needed: true,
          },
          { name: 'poNumber', label: t('acq.poNumberOrMade'), kind: 'text' },
          { name: 'approved', label: t('acq.approved'), kind: 'flag' },
          { name: 'reEncumber', label: t('acq.reEncumber'), kind: 'flag' },
          { name: 'notes', label: t('acq.notes'), kind: 'texts', long: true },
        ],
      },
      {
        title: t('acq.value.Ongoing'),
        fields: [
          { name: 'ongoing:isSubscription', label: t('acq.subscription'), kind: 'flag' },
          { name: 'ongoing:interval', label: t('acq.intervalDays'), kind: 'number' },
          { name: 'ongoing:renewalDate', label: t('acq.renewalDate'), kind: 'day' },
        ],
      },
    ],
    [t, choices],
  )
  return (
    <AcqForm<Order>
      key={id}
      title={id && data ? t('acq.editOf', { name: data.poNumber ?? '' }) : t('acq.newOrder')}
      path={
        <Link to="/orders" search={{}}>
          {t('shell.orders')}
        </Link>
      }
      record={id && data ? data : NEW}
      parts={parts}
      stored={id ? { path: `${ORDERS}/${id}` } : undefined}
      save={async (next) => {
        // An ongoing order has the part, though nothing stands in it; the others must not have it.
        const { ongoing, ...rest } = next
        const body =
          next.orderType === 'Ongoing'
            ? { ...rest, ongoing: ongoing ?? { isSubscription: false } }
            : rest
        if (id) await put(`${ORDERS}/${id}`, body)
        const made = id ? undefined : await post<Order>(ORDERS, body)
        return { to: `/orders/${id ?? made?.id}` }
      }}
    />
  )
}
