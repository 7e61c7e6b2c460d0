// What fees are charged by: owners, their kinds of fees, and how fees are settled.
import { get } from '#/api/client'
import type { ServicePoint } from '#/api/types'
import type { Field, Kind, Source } from './kinds'
import type { Values } from './paths'

const group = 'set.groupFees'
const owners: Source = { path: '/owners', key: 'owners', name: 'owner' }
const points: Source = { path: '/service-points', key: 'servicepoints', name: 'name' }
const OWNER: Field = { name: 'ownerId', label: 'set.owner', type: 'ref', of: owners, needed: true }
const named = (name: string): Field => ({ name, label: 'set.name', type: 'text', needed: true })

interface Place {
  value: string
  label?: string
}

/** FOLIO keeps the service points of an owner with their names. */
async function ownerBody({ $points = [], ...record }: Values): Promise<Values> {
  const ids = $points as readonly string[]
  const { servicepoints } = await get<{ servicepoints: ServicePoint[] }>(points.path, {
    query: 'cql.allRecords=1',
    limit: 1000,
  })
  return {
    ...record,
    servicePointOwner: ids.map((value): Place => {
      const label = servicepoints.find((one) => one.id === value)?.name
      return { value, ...(label ? { label } : {}) }
    }),
  }
}

export const FEES: readonly Kind[] = [
  {
    ...owners,
    id: 'fee-owners',
    title: 'set.owners',
    group,
    permission: 'owners.item',
    wire: {
      read: async (id) => {
        const record = await get<Values>(`/owners/${id}`)
        const places = (record.servicePointOwner ?? []) as readonly Place[]
        return { ...record, $points: places.map((one) => one.value) }
      },
      body: ownerBody,
    },
    fields: [
      named('owner'),
      { name: 'desc', label: 'set.description', type: 'lines' },
      { name: '$points', label: 'set.ownerPoints', type: 'refs', of: points },
    ],
    columns: ['desc'],
    fresh: { $points: [] },
  },
  {
    id: 'fee-types',
    path: '/feefines',
    key: 'feefines',
    name: 'feeFineType',
    title: 'set.feeTypes',
    group,
    permission: 'feefines.item',
    fields: [
      named('feeFineType'),
      OWNER,
      { name: 'defaultAmount', label: 'set.usualAmount', type: 'number' },
    ],
    columns: ['defaultAmount'],
    fresh: { automatic: false },
  },
  {
    id: 'payment-methods',
    path: '/payments',
    key: 'payments',
    name: 'nameMethod',
    title: 'set.payments',
    group,
    permission: 'payments.item',
    fields: [
      named('nameMethod'),
      OWNER,
      { name: 'allowedRefundMethod', label: 'set.refundable', type: 'check' },
    ],
    fresh: { allowedRefundMethod: true },
  },
  {
    id: 'waive-reasons',
    path: '/waives',
    key: 'waivers',
    name: 'nameReason',
    title: 'set.waives',
    group,
    permission: 'waives.item',
    fields: [named('nameReason'), { name: 'description', label: 'set.description', type: 'lines' }],
    columns: ['description'],
  },
  {
    id: 'refund-reasons',
    path: '/refunds',
    key: 'refunds',
    name: 'nameReason',
    title: 'set.refunds',
    group,
    permission: 'refunds.item',
    fields: [named('nameReason'), { name: 'description', label: 'set.description', type: 'lines' }],
    columns: ['description'],
  },
  {
    id: 'transfer-accounts',
    path: '/transfers',
    key: 'transfers',
    name: 'accountName',
    title: 'set.transfers',
    group,
    permission: 'transfers.item',
    fields: [
      named('accountName'),
      OWNER,
      { name: 'desc', label: 'set.description', type: 'lines' },
    ],
    columns: ['desc'],
  },
]
