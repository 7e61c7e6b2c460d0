// Items and patrons for tests, made through the API: each test has its own.
import type { Api } from './fixtures'

export interface Item {
  id: string
  barcode: string
  status: { name: string }
}

let next = 0
const count = () => {
  next += 1
  return next
}
const unique = (start: string) =>
  `${start}${String(Date.now()).slice(-8)}${String(count()).padStart(3, '0')}`

export async function makeItem(api: Api, more: Record<string, unknown> = {}): Promise<Item> {
  const { items } = await api.get<{ items: Record<string, unknown>[] }>(
    '/item-storage/items?limit=1&query=status.name==Available%20sortby%20hrid',
  )
  const like = items[0] ?? {}
  return api.post<Item>('/item-storage/items', {
    holdingsRecordId: like.holdingsRecordId,
    materialTypeId: like.materialTypeId,
    permanentLoanTypeId: like.permanentLoanTypeId,
    status: { name: 'Available' },
    barcode: unique('341'),
    ...more,
  })
}

export interface Patron {
  id: string
  barcode: string
  personal: { lastName: string; firstName: string }
}

export async function makePatron(api: Api, lastName: string): Promise<Patron> {
  const { usergroups } = await api.get<{ usergroups: { id: string }[] }>(
    '/groups?limit=1&query=group==staff',
  )
  const barcode = unique('211')
  return api.post<Patron>('/users', {
    active: true,
    barcode,
    username: `u${barcode}`,
    patronGroup: usergroups[0]?.id,
    expirationDate: '2099-12-31T00:00:00.000+00:00',
    personal: {
      lastName,
      firstName: 'Test',
      email: 't@example.org',
      preferredContactTypeId: '002',
    },
  })
}

export async function deskId(api: Api, name: string): Promise<string> {
  const { servicepoints } = await api.get<{ servicepoints: { id: string; name: string }[] }>(
    '/service-points?limit=100',
  )
  return servicepoints.find((one) => one.name === name)?.id ?? ''
}

export async function statusOf(api: Api, barcode: string): Promise<string> {
  const { items } = await api.get<{ items: Item[] }>(
    `/item-storage/items?query=barcode==${barcode}`,
  )
  return items[0]?.status.name ?? ''
}

export async function lend(api: Api, item: Item, patron: Patron, loanDate?: Date): Promise<string> {
  const { id } = await api.post<{ id: string }>('/circulation/check-out-by-barcode', {
    itemBarcode: item.barcode,
    userBarcode: patron.barcode,
    servicePointId: await deskId(api, 'Circ Desk 1'),
    ...(loanDate ? { loanDate: loanDate.toISOString() } : {}),
  })
  return id
}

export interface Placed {
  holdingsRecordId: string
  instanceId: string
}

/** Where the item belongs. */
export async function placeOf(api: Api, item: Item): Promise<Placed> {
  const { holdingsRecordId } = await api.get<{ holdingsRecordId: string }>(
    `/item-storage/items/${item.id}`,
  )
  const { instanceId } = await api.get<{ instanceId: string }>(
    `/holdings-storage/holdings/${holdingsRecordId}`,
  )
  return { holdingsRecordId, instanceId }
}

/** An item whose location belongs to this desk. */
export async function makeItemAt(api: Api, desk: string): Promise<Item> {
  const { locations } = await api.get<{ locations: { id: string; primaryServicePoint: string }[] }>(
    '/locations?limit=100',
  )
  const point = await deskId(api, desk)
  const location = locations.find((one) => one.primaryServicePoint === point)
  return makeItem(api, { permanentLocationId: location?.id })
}

export async function makeRequest(
  api: Api,
  item: Item,
  patron: Patron,
  requestType: 'Hold' | 'Page' | 'Recall',
): Promise<string> {
  const { id } = await api.post<{ id: string }>('/circulation/requests', {
    requestLevel: 'Item',
    requestType,
    ...(await placeOf(api, item)),
    itemId: item.id,
    requesterId: patron.id,
    requestDate: new Date().toISOString(),
    fulfillmentPreference: 'Hold Shelf',
    pickupServicePointId: await deskId(api, 'Circ Desk 1'),
  })
  return id
}

/** An owner of fees at the desk, with one kind of fee and what each act chooses from. */
export async function makeOwner(api: Api, kinds: readonly string[]) {
  const name = `Owner ${unique('')}`
  const point = await deskId(api, 'Circ Desk 1')
  const { id } = await api.post<{ id: string }>('/owners', {
    owner: name,
    servicePointOwner: [{ value: point, label: 'Circ Desk 1' }],
  })
  const types = []
  for (const feeFineType of kinds) {
    types.push(
      await api.post<{ id: string; feeFineType: string }>('/feefines', {
        feeFineType,
        ownerId: id,
        automatic: false,
      }),
    )
  }
  return { id, name, types }
}
