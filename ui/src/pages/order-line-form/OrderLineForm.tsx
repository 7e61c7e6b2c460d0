// A line of an order is made or changed.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ownFieldsQuery } from '#/acquisitions/customFields'
import { AcqForm } from '#/acquisitions/form/AcqForm'
import { currencies } from '#/acquisitions/form/fields'
import { useDistributions } from '#/acquisitions/form/useDistributions'
import { hiddenIn } from '#/acquisitions/hidden'
import { LINES, lineQuery, orderQuery } from '#/acquisitions/orders'
import { loadFunds, methodsQuery } from '#/acquisitions/queries'
import { keepTags, useTagField } from '#/acquisitions/tags'
import { lineOf, templateQuery } from '#/acquisitions/templates'
import type { OrderLine } from '#/acquisitions/types'
import { useChoices } from '#/acquisitions/words'
import { post, put } from '#/api/client'
import { loadLists } from '#/api/lists'
import { useLocale } from '#/api/locale'
import { queryClient, useLoaded } from '#/api/query'
import type { Id } from '#/api/types'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { lineParts } from './parts'
import { wired } from './wire'

export async function loader(id: string, lineId: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions'),
    loadLists('locations', 'materialTypes', 'contributorNameTypes', 'identifierTypes'),
    loadFunds(),
    queryClient.ensureQueryData(methodsQuery),
    queryClient.ensureQueryData(ownFieldsQuery('po_line')).catch(() => []),
    queryClient
      .ensureQueryData(orderQuery(id))
      .then(({ template }) =>
        template ? queryClient.ensureQueryData(templateQuery(template)) : null,
      ),
    lineId !== 'new' && queryClient.fetchQuery(lineQuery(lineId)),
  ])
}

export function OrderLineForm() {
  const t = useText()
  const choices = useChoices()
  const { currency } = useLocale()
  const params = useParams({ strict: false }) as { id?: string; lineId?: string }
  const { id = '' } = params
  const lineId = params.lineId === 'new' ? undefined : params.lineId
  const order = useLoaded(orderQuery(id))
  const methods = useLoaded(methodsQuery)
  const { data } = useQuery({ ...lineQuery(lineId ?? ''), enabled: false })
  const { data: template } = useQuery(templateQuery(order.template))
  const funds = useDistributions('fundDistribution')
  const tags = useTagField()
  const { data: custom } = useQuery(ownFieldsQuery('po_line'))
  const hidden = useMemo(() => hiddenIn(template), [template])
  const parts = useMemo(
    () =>
      lineParts(t, choices, {
        isStored: Boolean(lineId),
        isOpen: order.workflowStatus !== 'Pending',
        funds,
        methods: methods.map((one) => ({ value: one.id, text: one.value })),
        currencies: currencies(currency),
        tags,
        custom,
      }),
    [t, choices, lineId, order.workflowStatus, funds, methods, currency, tags, custom],
  )
  const record = useMemo(() => {
    if (lineId && data) return data
    const fresh = {
      purchaseOrderId: id,
      source: 'User',
      orderFormat: 'Physical Resource',
      acquisitionMethod: methods.find((one) => one.value === 'Purchase')?.id,
      cost: { currency, quantityPhysical: 1 },
      physical: { createInventory: 'Instance, Holding, Item' },
      locations: [{ quantityPhysical: 1 }],
      fundDistribution: [{ distributionType: 'percentage', value: 100 }],
    } as unknown as OrderLine
    return template ? lineOf(template, fresh) : fresh
  }, [lineId, data, id, methods, currency, template])
  return (
    <AcqForm<OrderLine>
      key={lineId}
      title={lineId ? t('acq.editOf', { name: record.poLineNumber ?? '' }) : t('acq.addLine')}
      path={
        <>
          <Link to="/orders" search={{}}>
            {t('shell.orders')}
          </Link>{' '}
          /{' '}
          <Link to="/orders/$id" params={{ id }}>
            <bdi>{order.poNumber}</bdi>
          </Link>
        </>
      }
      record={record}
      parts={parts}
      hidden={hidden}
      stored={lineId ? { path: `${LINES}/${lineId}` } : undefined}
      save={async (next) => {
        await keepTags(next)
        if (lineId) await put(`${LINES}/${lineId}`, wired(next))
        const made = lineId ? undefined : await post<Id>(LINES, wired(next))
        // A new line leads to its order: there the next one is added, or the order is opened.
        return { to: made ? `/orders/${id}` : `/orders/${id}/lines/${lineId}` }
      }}
    />
  )
}
