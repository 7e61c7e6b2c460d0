// Records of the sample library for scenes: items on the shelf, patrons, loans, and what staff do with them.
import { type Api, DESK } from './fixtures'
import { deskId } from './items'

export interface SampleItem {
  id: string
  barcode: string
  title: string
  holdingsRecordId: string
}

export interface SamplePatron {
  id: string
  barcode: string
}

const cql = encodeURIComponent

/** Items on the shelf, of different titles. `from` keeps the scenes apart. */
export async function shelf(api: Api, count: number, from = 0): Promise<SampleItem[]> {
  const { items } = await api.get<{ items: SampleItem[] }>(
    `/inventory/items?limit=400&query=${cql('status.name==Available and barcode=3118* sortby title')}`,
  )
  const titles = new Map(items.map((item) => [item.title, item]))
  return [...titles.values()].slice(from, from + count)
}

export async function patrons(api: Api, count: number, from = 0): Promise<SamplePatron[]> {
  const query = cql('patronGroup=* and active==true and barcode=2118* sortby personal.lastName')
  const { users } = await api.get<{ users: SamplePatron[] }>(
    `/users?limit=${count}&offset=${from + 20}&query=${query}`,
  )
  return users
}

export async function loansOpen(api: Api, count: number) {
  const { loans } = await api.get<{
    loans: { userId: string; borrower?: { barcode?: string } }[]
  }>(`/circulation/loans?limit=${count}&query=${cql('status.name==Open sortby dueDate')}`)
  return loans.map(({ userId, borrower }) => ({ userId, patron: borrower?.barcode ?? '' }))
}

export async function lend(api: Api, item: SampleItem, patron: SamplePatron) {
  await api.post('/circulation/check-out-by-barcode', {
    itemBarcode: item.barcode,
    userBarcode: patron.barcode,
    servicePointId: await deskId(api, DESK),
  })
}

export async function request(api: Api, item: SampleItem, patron: SamplePatron, desk: string) {
  const { instanceId } = await api.get<{ instanceId: string }>(
    `/holdings-storage/holdings/${item.holdingsRecordId}`,
  )
  await api.post('/circulation/requests', {
    requestLevel: 'Item',
    requestType: 'Hold',
    instanceId,
    holdingsRecordId: item.holdingsRecordId,
    itemId: item.id,
    requesterId: patron.id,
    requestDate: new Date().toISOString(),
    fulfillmentPreference: 'Hold Shelf',
    pickupServicePointId: desk,
  })
}

export const aside = (api: Api, item: SampleItem) =>
  api.post(`/inventory/items/${item.id}/mark-missing`, {})

/** A patron who may not borrow until he has been at the desk; once is enough. */
export async function blocked(api: Api, userId: string) {
  const { manualblocks } = await api.get<{ manualblocks: unknown[] }>(
    `/manualblocks?limit=1&query=userId==${userId}`,
  )
  if (!manualblocks.length)
    await api.post('/manualblocks', {
      type: 'Manual',
      desc: 'Owes for a lost book',
      userId,
      borrowing: true,
      renewals: false,
      requests: false,
    })
}
