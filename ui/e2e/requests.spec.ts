// Requests: placed by the form, moved in the queue by keyboard alone, cancelled with a reason.
import { type Api, expect, test } from './fixtures'
import { deskId, makeItem, makePatron } from './items'

async function lent(api: Api) {
  const item = await makeItem(api)
  const borrower = await makePatron(api, 'Leiher')
  await api.post('/circulation/check-out-by-barcode', {
    itemBarcode: item.barcode,
    userBarcode: borrower.barcode,
    servicePointId: await deskId(api, 'Circ Desk 1'),
  })
  const { items } = await api.get<{ items: { holdingsRecordId: string }[] }>(
    `/item-storage/items?query=barcode==${item.barcode}`,
  )
  const holdingsRecordId = items[0]?.holdingsRecordId
  const { instanceId } = await api.get<{ instanceId: string }>(
    `/holdings-storage/holdings/${holdingsRecordId}`,
  )
  return { ...item, holdingsRecordId, instanceId }
}

test('a request is placed, and cancelled with a reason', async ({ staff, api, a11y }) => {
  const item = await lent(api)
  const patron = await makePatron(api, `Wünscher${item.barcode.slice(-5)}`)
  await staff.goto('/staff/requests/new')
  await staff.getByLabel('Item barcode').fill(item.barcode)
  await staff.getByRole('combobox', { name: 'Requester' }).fill(patron.personal.lastName)
  await staff.getByRole('option', { name: new RegExp(patron.personal.lastName) }).click()
  await staff.getByRole('radio', { name: 'Hold' }).click()
  await staff.getByRole('button', { name: /Pickup/ }).click()
  await staff.getByRole('option', { name: 'Circ Desk 1' }).click()
  await a11y('the form')
  await staff.getByRole('button', { name: 'Place the request' }).click()
  await expect(staff.getByRole('button', { name: 'Cancel request' })).toBeVisible()
  await expect(staff.getByText('Waiting').first()).toBeVisible()
  await a11y('the request')
  await staff.getByRole('button', { name: 'Cancel request' }).click()
  const card = staff.getByRole('form', { name: 'Cancel this request?' })
  await card.getByRole('button', { name: /^Cancel the request/ }).click()
  await expect(card).toContainText('Choose a reason.')
  await card.getByRole('button', { name: /Reason/ }).click()
  await staff.getByRole('option').first().click()
  await a11y('cancelling')
  await card.getByRole('button', { name: /^Cancel the request/ }).click()
  // In the record; the live region says the same.
  await expect(staff.getByRole('main').getByText('Cancelled', { exact: true })).toBeVisible()
  const { requests } = await api.get<{ requests: { status: string }[] }>(
    `/circulation/requests?query=requesterId==${patron.id}`,
  )
  expect(requests[0]?.status).toBe('Closed - Cancelled')
})

test('the queue is reordered by keyboard alone', async ({ staff, api, a11y }) => {
  const item = await lent(api)
  const desk = await deskId(api, 'Circ Desk 1')
  for (const name of ['Erste', 'Zweite', 'Dritte']) {
    const patron = await makePatron(api, name)
    await api.post('/circulation/requests', {
      requestLevel: 'Item',
      requestType: 'Hold',
      instanceId: item.instanceId,
      holdingsRecordId: item.holdingsRecordId,
      itemId: item.id,
      requesterId: patron.id,
      requestDate: new Date().toISOString(),
      fulfillmentPreference: 'Hold Shelf',
      pickupServicePointId: desk,
    })
  }
  const order = async () => {
    const { requests } = await api.get<{
      requests: { position: number; requester: { lastName: string } }[]
    }>(`/circulation/requests/queue/item/${item.id}`)
    return requests.toSorted((a, b) => a.position - b.position).map((one) => one.requester.lastName)
  }
  await staff.goto(`/staff/requests/queue/item/${item.id}`)
  const grip = staff.getByRole('button', { name: /^Move Dritte/ })
  await expect(grip).toBeVisible()
  await a11y('the queue')
  await grip.focus()
  await staff.keyboard.press('Space')
  await expect(staff.getByText('Moving Dritte, Test to place 3.')).toBeVisible()
  await staff.keyboard.press('ArrowUp')
  await staff.keyboard.press('ArrowUp')
  await expect(staff.getByText('Moving Dritte, Test to place 1.')).toBeVisible()
  await a11y('a lifted request')
  await staff.keyboard.press('Escape')
  await expect(staff.getByText(/^Moving Dritte/)).toHaveCount(0)
  expect(await order()).toEqual(['Erste', 'Zweite', 'Dritte'])
  await staff.keyboard.press('Space')
  await staff.keyboard.press('ArrowUp')
  await staff.keyboard.press('ArrowUp')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText(/^Moving Dritte/)).toHaveCount(0)
  await expect.poll(order).toEqual(['Dritte', 'Erste', 'Zweite'])
  await staff.keyboard.press('Alt+n')
  await expect(staff.getByLabel('Item barcode')).toHaveValue(item.barcode)
})
