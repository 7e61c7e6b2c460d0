// What an order template gives: FOLIO keeps the values of the order and of its lines in one record.

import { queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'
import { ofQuery } from './queries'
import type { Order, OrderLine, Stored } from './types'

export interface Template extends Stored {
  templateName: string
  templateCode?: string
  [field: string]: unknown
}

const PATH = '/orders/order-templates'
const OF_ORDER = [
  'vendor',
  'orderType',
  'poNumberPrefix',
  'poNumberSuffix',
  'assignedTo',
  'billTo',
  'shipTo',
  'approved',
  'manualPo',
  'reEncumber',
  'notes',
  'ongoing',
  'acqUnitIds',
] as const
const OF_LINE = [
  'acquisitionMethod',
  'automaticExport',
  'checkinItems',
  'claimingActive',
  'claimingInterval',
  'collection',
  'contributors',
  'details',
  'donor',
  'edition',
  'eresource',
  'fundDistribution',
  'isPackage',
  'locations',
  'orderFormat',
  'packagePoLineId',
  'physical',
  'poLineDescription',
  'publicationDate',
  'publisher',
  'renewalNote',
  'requester',
  'rush',
  'selector',
  'titleOrPackage',
  'vendorDetail',
] as const

export const templatesQuery = ofQuery<Template>(
  PATH,
  'orderTemplates',
  'cql.allRecords=1 sortby templateName',
)

/** One that is gone gives nothing: orders keep its id only. */
export const templateQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['acq', 'template', id],
    queryFn: ({ signal }): Promise<Template | null> =>
      get<Template>(`${PATH}/${id}`, undefined, signal).catch(() => null),
    enabled: Boolean(id),
  })

const picked = (template: Template, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) => (template[name] === undefined ? [] : [[name, template[name]]])),
  )

export const orderOf = (template: Template): Partial<Order> => ({
  ...picked(template, OF_ORDER),
  template: template.id,
})

/** A new line: the template's values over those that every line begins with. */
export function lineOf(template: Template, base: OrderLine): OrderLine {
  const cost = template.cost as Partial<OrderLine['cost']> | undefined
  return { ...base, ...picked(template, OF_LINE), cost: { ...base.cost, ...cost } } as OrderLine
}
