// Which records have a history, where the server has it, and the permission that it needs.
export const HISTORIES = {
  instance: {
    path: '/audit-data/inventory/instance',
    needs: 'audit.inventory.instance.collection.get',
  },
  holdings: {
    path: '/audit-data/inventory/holdings',
    needs: 'audit.inventory.holdings.collection.get',
  },
  item: { path: '/audit-data/inventory/item', needs: 'audit.inventory.item.collection.get' },
  marc: { path: '/audit-data/marc/bib', needs: 'audit.marc.bib.collection.get' },
  authority: {
    path: '/audit-data/marc/authority',
    needs: 'audit.marc.authority.collection.get',
  },
  order: { path: '/audit-data/acquisition/order', needs: 'acquisition.order.events.get' },
  orderLine: {
    path: '/audit-data/acquisition/order-line',
    needs: 'acquisition.order-line.events.get',
  },
  piece: { path: '/audit-data/acquisition/piece', needs: 'acquisition.piece.events.get' },
  invoice: { path: '/audit-data/acquisition/invoice', needs: 'acquisition.invoice.events.get' },
  organization: {
    path: '/audit-data/acquisition/organization',
    needs: 'acquisition.organization.events.get',
  },
} as const

export type HistoryKind = keyof typeof HISTORIES
