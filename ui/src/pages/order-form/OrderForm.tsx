// An order is made or changed. Its lines have a form of their own.
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AcqForm, useEdited } from '#/acquisitions/form/AcqForm'
import { organizationLookup } from '#/acquisitions/form/fields'
import { userLookup } from '#/acquisitions/form/lookups'
import { numbered } from '#/acquisitions/numbers'
import { ORDERS, orderQuery } from '#/acquisitions/orders'
import { prefixesQuery, suffixesQuery, unitsQuery } from '#/acquisitions/queries'
import { orderOf, templateQuery } from '#/acquisitions/templates'
import type { Order } from '#/acquisitions/types'
import { ORDER_TYPE, useChoices } from '#/acquisitions/words'
import { post, put } from '#/api/client'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import type { Part, Spec } from '#/inventory/form/specs'

const NEW = { orderType: 'One-Time' } as Order

export async function loader(id: string) {
  await Promise.all([
    ...[prefixesQuery, suffixesQuery, unitsQuery].map((one) =>
      queryClient.ensureQueryData(one).catch(() => []),
    ),
    loadTexts('lists', 'forms', 'inventory', 'acquisitions'),
    id !== 'new' && queryClient.fetchQuery(orderQuery(id)),
  ])
}

/** Records that orders name by their names; a library without any has no such field. */
const named = (
  name: string,
  label: string,
  records: readonly { name: string }[] | undefined,
): Spec[] =>
  records?.length
    ? [
        {
          name,
          label,
          kind: 'choice',
          choices: records.map((one) => ({ value: one.name, text: one.name })),
        },
      ]
    : []

export function OrderForm() {
  const t = useText()
  const choices = useChoices()
  const id = useEdited()
  const { data } = useQuery({ ...orderQuery(id ?? ''), enabled: false })
  // A new order may begin with a template; the address says with which.
  const { template: templateId } = useSearch({ strict: false }) as { template?: string }
  const { data: template, isPending } = useQuery(templateQuery(id ? undefined : templateId))
  const { data: prefixes } = useQuery(prefixesQuery)
  const { data: suffixes } = useQuery(suffixesQuery)
  const { data: units } = useQuery(unitsQuery)
  const record = useMemo(
    (): Order => (id && data ? data : { ...NEW, ...(template ? orderOf(template) : {}) }),
    [id, data, template],
  )
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
          ...named('poNumberPrefix', t('ord.prefix'), prefixes),
          { name: 'poNumber', label: t('acq.poNumberOrMade'), kind: 'text' },
          ...named('poNumberSuffix', t('ord.suffix'), suffixes),
          {
            name: 'assignedTo',
            label: t('ord.assignedTo'),
            kind: 'lookup',
            lookup: userLookup,
          },
          ...(units?.length
            ? [
                {
                  name: 'acqUnitIds',
                  label: t('ord.units'),
                  kind: 'ids' as const,
                  choices: units.map((one) => ({ value: one.id, text: one.name })),
                },
              ]
            : []),
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
          { name: 'ongoing:manualRenewal', label: t('ord.manualRenewal'), kind: 'flag' },
          { name: 'ongoing:reviewPeriod', label: t('ord.reviewPeriod'), kind: 'number' },
          { name: 'ongoing:reviewDate', label: t('ord.reviewDate'), kind: 'day' },
          { name: 'ongoing:notes', label: t('acq.notes'), kind: 'long' },
        ],
      },
    ],
    [t, choices, prefixes, suffixes, units],
  )
  if (!id && templateId && isPending) return null
  return (
    <AcqForm<Order>
      key={id}
      title={
        id && data
          ? t('acq.editOf', { name: data.poNumber ?? '' })
          : template
            ? t('ord.newFrom', { name: template.templateName })
            : t('acq.newOrder')
      }
      path={
        <Link to="/orders" search={{}}>
          {t('shell.orders')}
        </Link>
      }
      record={record}
      parts={parts}
      stored={id ? { path: `${ORDERS}/${id}` } : undefined}
      save={async (next) => {
        // An ongoing order has the part, though nothing stands in it; the others must not have it.
        const { ongoing, ...rest } = numbered(next, id ? data : undefined)
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
