// The lists of orders as FOLIO's routes have them.
import type { ListKind } from '#/acquisitions/list/source'

export const VIEWS = ['orders', 'lines', 'receiving'] as const
export type View = (typeof VIEWS)[number]

export const viewOf = (view: string | undefined): View =>
  VIEWS.find((one) => one === view) ?? 'orders'

const lines = {
  path: '/orders/order-lines',
  rows: 'poLines',
  words: ['titleOrPackage'],
  begins: ['poLineNumber'],
  sorts: {
    number: 'poLineNumber',
    title: 'titleOrPackage',
    date: 'metadata.createdDate',
  },
}

export const KINDS: Record<View, ListKind> = {
  orders: {
    path: '/orders/composite-orders',
    rows: 'purchaseOrders',
    begins: ['poNumber'],
    sorts: {
      number: 'poNumber',
      status: 'workflowStatus',
      date: 'metadata.createdDate',
      ordered: 'dateOrdered',
    },
    sort: '-date',
    facets: { status: 'workflowStatus', kind: 'orderType', of: 'vendor' },
  },
  lines: { ...lines, sort: '-date', facets: { status: 'paymentStatus', kind: 'orderFormat' } },
  receiving: {
    ...lines,
    // What somebody waits for: lines of open orders have these.
    base: 'receiptStatus==("Awaiting Receipt" or "Partially Received" or "Ongoing")',
    sort: 'title',
    facets: { status: 'receiptStatus', kind: 'orderFormat' },
  },
}
