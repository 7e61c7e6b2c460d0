// An order is made or changed. Its lines have a form of their own.
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { addressesQuery } from '#/acquisitions/addresses'
import { ownFieldsQuery } from '#/acquisitions/customFields'
import { AcqForm, useEdited } from '#/acquisitions/form/AcqForm'
import { hiddenIn } from '#/acquisitions/hidden'
import { numbered } from '#/acquisitions/numbers'
import { ORDERS, orderQuery } from '#/acquisitions/orders'
import { prefixesQuery, suffixesQuery, unitsQuery } from '#/acquisitions/queries'
import { keepTags, useTagField } from '#/acquisitions/tags'
import { orderOf, templateQuery } from '#/acquisitions/templates'
import type { Order } from '#/acquisitions/types'
import { useChoices } from '#/acquisitions/words'
import { post, put } from '#/api/client'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { orderParts } from './parts'

const NEW = { orderType: 'One-Time' } as Order

export async function loader(id: string) {
  await Promise.all([
    ...[prefixesQuery, suffixesQuery, unitsQuery].map((one) =>
      queryClient.ensureQueryData(one).catch(() => []),
    ),
    queryClient.ensureQueryData(addressesQuery).catch(() => []),
    queryClient.ensureQueryData(ownFieldsQuery('purchase_order')).catch(() => []),
    loadTexts('lists', 'forms', 'inventory', 'acquisitions'),
    id !== 'new' && queryClient.fetchQuery(orderQuery(id)),
  ])
}

export function OrderForm() {
  const t = useText()
  const choices = useChoices()
  const id = useEdited()
  const { data } = useQuery({ ...orderQuery(id ?? ''), enabled: false })
  // A new order may begin with a template; the address says with which.
  const { template: templateId } = useSearch({ strict: false }) as { template?: string }
  const { data: template, isPending } = useQuery(templateQuery(id ? data?.template : templateId))
  const { data: prefixes } = useQuery(prefixesQuery)
  const { data: suffixes } = useQuery(suffixesQuery)
  const { data: units } = useQuery(unitsQuery)
  const { data: addresses } = useQuery(addressesQuery)
  const { data: custom } = useQuery(ownFieldsQuery('purchase_order'))
  const tags = useTagField()
  const record = useMemo(
    (): Order => (id && data ? data : { ...NEW, ...(template ? orderOf(template) : {}) }),
    [id, data, template],
  )
  const parts = useMemo(
    () => orderParts(t, choices, { prefixes, suffixes, units, addresses, tags, custom }),
    [t, choices, prefixes, suffixes, units, addresses, tags, custom],
  )
  const hidden = useMemo(() => hiddenIn(template), [template])
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
      hidden={hidden}
      stored={id ? { path: `${ORDERS}/${id}` } : undefined}
      save={async (next) => {
        await keepTags(next)
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
