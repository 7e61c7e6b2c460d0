// What is done with requests beside placing, cancelling and the keyboard's queue: moving, dragging, slips, the hold
// shelf, delivery.
import { type Api, DESK, expect, test } from './fixtures'
import { lend, makeItem, makeItemAt, makePatron, makeRequest, statusOf } from './items'
import { catchPrints } from './prints'

interface Request {
  id: string
  itemId: string
  requestType: string
  status: string
  fulfillmentPreference: string
  deliveryAddressTypeId?: string
}

const requestOf = (api: Api, id: string) => api.get<Request>(`/circulation/requests/${id}`)

test('a request is moved to another item, as a kind that the rules allow there', async ({
  staff,
  api,
  a11y,
}) => {
  const lent = await makeItem(api)
  const free = await makeItem(api)
  await lend(api, lent, await makePatron(api, 'Leiher'))
  const id = await makeRequest(api, lent, await makePatron(api, 'Wünscher'), 'Hold')
  await staff.goto(`/staff/requests/${id}`)
  await staff.getByRole('button', { name: 'Move to another item' }).click()
  const card = staff.getByRole('form', { name: 'Move to another item' })
  await card.getByRole('button', { name: /^Move to another item/ }).click()
  await expect(card).toContainText('Choose one')
  await card.getByRole('button', { name: /To the item/ }).click()
  await staff.getByRole('option', { name: new RegExp(free.barcode) }).click()
  await expect(card.getByRole('radio', { name: 'Page' })).toBeChecked()
  await a11y('moving')
  await card.getByRole('button', { name: /^Move to another item/ }).click()
  await expect(card).toHaveCount(0)
  await expect(staff.getByText(free.barcode.slice(0, 10))).toBeVisible()
  const moved = await requestOf(api, id)
  expect([moved.itemId, moved.requestType]).toEqual([free.id, 'Page'])
  expect(await statusOf(api, free.barcode)).toBe('Paged')
})

test('a recall that is moved to another lent item stays a recall where that is chosen', async ({
  staff,
  api,
}) => {
  const [one, other] = [await makeItem(api), await makeItem(api)]
  const borrower = await makePatron(api, 'Leiher')
  await lend(api, one, borrower)
  await lend(api, other, borrower)
  const id = await makeRequest(api, one, await makePatron(api, 'Wünscher'), 'Recall')
  await staff.goto(`/staff/requests/${id}`)
  await staff.getByRole('button', { name: 'Move to another item' }).click()
  const card = staff.getByRole('form', { name: 'Move to another item' })
  await card.getByRole('button', { name: /To the item/ }).click()
  await staff.getByRole('option', { name: new RegExp(other.barcode) }).click()
  await expect(card.getByRole('radio', { name: 'Recall' })).toBeChecked()
  await card.getByRole('button', { name: /^Move to another item/ }).click()
  await expect(card).toHaveCount(0)
  const moved = await requestOf(api, id)
  expect([moved.itemId, moved.requestType]).toEqual([other.id, 'Recall'])
})

test('a request is dragged to the top of its queue', async ({ staff, api }) => {
  const item = await makeItem(api)
  await lend(api, item, await makePatron(api, 'Leiher'))
  for (const name of ['Erste', 'Zweite', 'Dritte'])
    await makeRequest(api, item, await makePatron(api, name), 'Hold')
  await staff.goto(`/staff/requests/queue/item/${item.id}`)
  const line = (name: string) => staff.getByRole('listitem').filter({ hasText: name })
  await line('Dritte').dragTo(line('Erste'))
  const order = async () => {
    const { requests } = await api.get<{
      requests: { position: number; requester: { lastName: string } }[]
    }>(`/circulation/requests/queue/item/${item.id}`)
    return requests.toSorted((a, b) => a.position - b.position).map((one) => one.requester.lastName)
  }
  await expect.poll(order).toEqual(['Dritte', 'Erste', 'Zweite'])
  await expect(staff.getByRole('button', { name: 'Move Dritte, Test, place 1' })).toBeVisible()
})

test('one print has the slips of all items that are to be fetched', async ({ staff, api }) => {
  const items = [await makeItemAt(api, DESK), await makeItemAt(api, DESK)]
  for (const item of items) await makeRequest(api, item, await makePatron(api, 'Holer'), 'Page')
  const prints = await catchPrints(staff)
  await staff.goto('/staff/requests')
  await staff.getByRole('button', { name: 'Pick slips' }).click()
  await expect.poll(async () => (await prints()).length).toBe(1)
  const [printed = ''] = await prints()
  for (const item of items) expect(printed).toContain(item.barcode)
})

test('where the library counts printed slips, a request shows how often, when and by whom', async ({
  staff,
  api,
}) => {
  const setting = {
    id: crypto.randomUUID(),
    name: 'printEventLogFeature',
    value: { enablePrintLog: true },
  }
  await api.post('/circulation/settings', setting)
  try {
    const item = await makeItemAt(api, DESK)
    const id = await makeRequest(api, item, await makePatron(api, 'Druck'), 'Page')
    const prints = await catchPrints(staff)
    await staff.goto('/staff/requests')
    for (const times of [1, 2]) {
      const noted = staff.waitForResponse((answer) => /print-events-entry$/.test(answer.url()))
      await staff.getByRole('button', { name: 'Pick slips' }).click()
      expect((await noted).status()).toBe(204)
      expect(await prints()).toHaveLength(times)
    }
    await staff.goto(`/staff/requests/${id}`)
    await expect(staff.getByText(/^2 times, last .* by /)).toBeVisible()
  } finally {
    await api.remove(`/circulation/settings/${setting.id}`)
  }
})

test('what nobody waits for any more stands in the hold-shelf clearance until it is checked in', async ({
  staff,
  api,
  scan,
  a11y,
}) => {
  const item = await makeItemAt(api, DESK)
  const patron = await makePatron(api, 'Abholerin')
  const id = await makeRequest(api, item, patron, 'Page')
  await staff.goto('/staff/check-in')
  await expect(staff.getByRole('heading', { name: 'Check in', level: 1 })).toBeVisible()
  await scan(item.barcode)
  await expect(staff.getByRole('region', { name: 'Last scan' })).toContainText('Hold shelf')
  await staff.goto(`/staff/requests/${id}`)
  await staff.getByRole('button', { name: 'Cancel request' }).click()
  const card = staff.getByRole('form', { name: 'Cancel this request?' })
  await card.getByRole('button', { name: /Reason/ }).click()
  await staff.getByRole('option').first().click()
  await card.getByRole('button', { name: /^Cancel the request/ }).click()
  await expect(card).toHaveCount(0)
  await staff.getByRole('link', { name: 'Requests', exact: true }).first().click()
  await staff.getByRole('button', { name: 'Hold-shelf clearance' }).click()
  const shelf = staff.getByRole('grid', { name: 'Hold-shelf clearance' })
  const row = shelf.getByRole('row').filter({ hasText: item.barcode.slice(-4) })
  await expect(row).toContainText(`ABHO ${patron.barcode.slice(-4)}`)
  await expect(row).toContainText('Cancelled')
  await a11y('the hold shelf')
  await staff.goto('/staff/check-in')
  await expect(staff.getByRole('heading', { name: 'Check in', level: 1 })).toBeVisible()
  await scan(item.barcode)
  await expect(staff.getByRole('listitem').filter({ hasText: item.barcode }).first()).toContainText(
    'Shelve',
  )
  await staff.goto('/staff/requests/shelf')
  await expect(staff.getByRole('heading', { name: 'Hold-shelf clearance' })).toBeVisible()
  await expect(row).toHaveCount(0)
  expect(await statusOf(api, item.barcode)).toBe('Available')
})

test('a request is delivered: asked for by address, told at check-in', async ({
  staff,
  api,
  scan,
  a11y,
}) => {
  const item = await makeItemAt(api, DESK)
  const patron = await makePatron(api, `Bote${item.barcode.slice(-5)}`)
  const { addressTypes } = await api.get<{ addressTypes: { id: string; addressType: string }[] }>(
    '/addresstypes?limit=100',
  )
  const home = addressTypes.find((one) => one.addressType === 'Home')
  await api.put(`/users/${patron.id}`, {
    ...patron,
    personal: {
      ...patron.personal,
      addresses: [{ addressTypeId: home?.id, addressLine1: 'Quay 1', countryId: 'SE' }],
    },
  })
  await api.post('/request-preference-storage/request-preference', {
    userId: patron.id,
    holdShelf: true,
    delivery: true,
    defaultDeliveryAddressTypeId: home?.id,
    fulfillment: 'Hold Shelf',
  })
  await staff.goto('/staff/requests/new')
  await staff.getByLabel('Item barcode').fill(item.barcode)
  await staff.getByRole('combobox', { name: 'Requester' }).fill(patron.personal.lastName)
  await staff.getByRole('option', { name: new RegExp(patron.personal.lastName) }).click()
  await staff.getByRole('radio', { name: 'Page' }).click()
  await staff.getByRole('button', { name: /How it comes/ }).click()
  await staff.getByRole('option', { name: 'Delivered to: Home' }).click()
  await a11y('a delivery')
  await staff.getByRole('button', { name: 'Place the request' }).click()
  await expect(staff.getByRole('button', { name: 'Cancel request' })).toBeVisible()
  const { requests } = await api.get<{ requests: Request[] }>(
    `/circulation/requests?query=requesterId==${patron.id}`,
  )
  expect(requests[0]?.fulfillmentPreference).toBe('Delivery')
  expect(requests[0]?.deliveryAddressTypeId).toBe(home?.id)
  await staff.goto('/staff/check-in')
  await expect(staff.getByRole('heading', { name: 'Check in', level: 1 })).toBeVisible()
  await scan(item.barcode)
  await expect(staff.getByRole('region', { name: 'Last scan' })).toContainText('Deliver')
  await expect(staff.getByRole('region', { name: 'Last scan' })).toContainText('Home')
  await a11y('an item to be delivered')
  await expect.poll(() => statusOf(api, item.barcode)).toBe('Awaiting delivery')
  const [after] = (
    await api.get<{ requests: Request[] }>(`/circulation/requests?query=requesterId==${patron.id}`)
  ).requests
  expect(after?.status).toBe('Open - Awaiting delivery')
})
