// A request is changed and copied; lists are saved as files.
import { DESK, expect, test } from './fixtures'
import { deskId, lend, makeItem, makeItemAt, makePatron, makeRequest } from './items'
import { saved } from './prints'

interface Request {
  pickupServicePointId?: string
  requestExpirationDate?: string
  requesterId: string
  itemId: string
  requestType: string
}

test('a request gets another place and a last day; what somebody else changed is shown beside', async ({
  staff,
  api,
  a11y,
}) => {
  const item = await makeItem(api)
  await lend(api, item, await makePatron(api, 'Leiher'))
  const id = await makeRequest(api, item, await makePatron(api, 'Umzieher'), 'Hold')
  const [one, two] = await Promise.all([DESK, 'Circ Desk 2'].map((name) => deskId(api, name)))
  const stored = () => api.get<Request>(`/circulation/requests/${id}`)
  expect((await stored()).pickupServicePointId).toBe(one)
  await staff.goto(`/staff/requests/${id}`)
  await expect(staff.getByRole('button', { name: /^Change/ })).toBeVisible()
  await staff.keyboard.press('Alt+e')
  const card = staff.getByRole('form', { name: 'Change this request' })
  await card.getByRole('button', { name: /Pickup/ }).click()
  await staff.getByRole('option', { name: 'Circ Desk 2' }).click()
  await card.getByLabel(/^Wanted until/).fill('2099-05-01')
  await a11y('changing')
  // Somebody else saves meanwhile.
  const now = await stored()
  await api.put(`/circulation/requests/${id}`, {
    ...now,
    requestExpirationDate: '2098-01-01T00:00:00.000+00:00',
  })
  await card.getByRole('button', { name: /^Save/ }).click()
  const both = staff.getByRole('region', { name: /Somebody else changed/ })
  await expect(both).toContainText('Fri 1 May 2099')
  await expect(both).toContainText('Wed 1 Jan 2098')
  await a11y('both versions')
  await both.getByRole('button', { name: 'Save these versions' }).click()
  await expect(both).toHaveCount(0)
  await expect(card).toHaveCount(0)
  await expect(staff.getByText('Circ Desk 2')).toBeVisible()
  expect((await stored()).pickupServicePointId).toBe(two)
  expect((await stored()).requestExpirationDate).toMatch(/^2099-05-01/)
})

test('a request on the hold shelf keeps its place, and stays there longer', async ({
  staff,
  api,
  a11y,
}) => {
  const item = await makeItemAt(api, DESK)
  const id = await makeRequest(api, item, await makePatron(api, 'Bleiber'), 'Page')
  await api.post('/circulation/check-in-by-barcode', {
    itemBarcode: item.barcode,
    servicePointId: await deskId(api, DESK),
    checkInDate: new Date().toISOString(),
  })
  await staff.goto(`/staff/requests/${id}`)
  await staff.getByRole('button', { name: /^Change/ }).click()
  const card = staff.getByRole('form', { name: 'Change this request' })
  await expect(card).toContainText('Where it is picked up is fixed')
  await card.getByLabel(/^On the hold shelf until/).fill('2099-06-01')
  await a11y('changing what is on the shelf')
  await card.getByRole('button', { name: /^Save/ }).click()
  await expect(card).toHaveCount(0)
  await expect(staff.getByText(/Mon 1 Jun 2099/).first()).toBeVisible()
})

test('a copy begins with the fields of its request', async ({ staff, api, a11y }) => {
  const item = await makeItem(api)
  await lend(api, item, await makePatron(api, 'Leiher'))
  const first = await makePatron(api, 'Vorbild')
  const second = await makePatron(api, `Abbild${item.barcode.slice(-5)}`)
  const id = await makeRequest(api, item, first, 'Recall')
  await staff.goto(`/staff/requests/${id}`)
  await expect(staff.getByRole('button', { name: /^Copy/ })).toBeVisible()
  await staff.keyboard.press('Alt+c')
  await expect(staff.getByRole('heading', { name: 'New request', level: 1 })).toBeVisible()
  await expect(staff.getByLabel('Item barcode')).toHaveValue(item.barcode)
  const requester = staff.getByRole('combobox', { name: 'Requester' })
  await expect(requester).toHaveValue('Vorbild, Test')
  await expect(staff.getByRole('radio', { name: 'Recall' })).toBeChecked()
  await expect(staff.getByRole('button', { name: /Pickup/ })).toContainText(DESK)
  await a11y('a copy')
  // The copy survives a reload: the address names its model.
  await staff.reload()
  await expect(staff.getByLabel('Item barcode')).toHaveValue(item.barcode)
  await requester.fill(second.personal.lastName)
  await staff.getByRole('option', { name: new RegExp(second.personal.lastName) }).click()
  await staff.getByRole('radio', { name: 'Hold' }).click()
  await staff.getByRole('button', { name: 'Place the request' }).click()
  await expect(staff.getByRole('button', { name: 'Cancel request' })).toBeVisible()
  const { requests } = await api.get<{ requests: Request[] }>(
    `/circulation/requests?query=requesterId==${second.id}`,
  )
  expect(requests).toMatchObject([{ itemId: item.id, requestType: 'Hold' }])
})

test('the list that is found is saved as a file, whole', async ({ staff, api, a11y }) => {
  const item = await makeItem(api)
  await lend(api, item, await makePatron(api, 'Leiher'))
  const name = `Datei${item.barcode.slice(-6)}`
  for (let at = 0; at < 3; at += 1)
    await makeRequest(api, item, await makePatron(api, name), 'Hold')
  await staff.goto(`/staff/requests?q=${name}`)
  await expect(staff.getByText('3 requests')).toBeVisible()
  await staff.getByRole('button', { name: 'More', exact: true }).click()
  await a11y('more acts')
  const { name: file, text } = await saved(staff, () =>
    staff.getByRole('menuitem', { name: 'Save as CSV' }).click(),
  )
  expect(file).toMatch(/^requests-\d{4}-\d\d-\d\d\.csv$/)
  const [head, ...lines] = text.trim().split('\r\n')
  expect(head).toContain('Title,Item barcode')
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    expect(line).toContain(item.barcode)
    expect(line).toContain(`"${name}, Test"`)
  }
  await expect(staff.getByText('3 rows saved')).toBeVisible()
})

test('the hold-shelf clearance is saved as a file', async ({ staff, api }) => {
  const item = await makeItemAt(api, DESK)
  const id = await makeRequest(api, item, await makePatron(api, 'Weggang'), 'Page')
  await api.post('/circulation/check-in-by-barcode', {
    itemBarcode: item.barcode,
    servicePointId: await deskId(api, DESK),
    checkInDate: new Date().toISOString(),
  })
  const now = await api.get<object>(`/circulation/requests/${id}`)
  const { cancellationReasons } = await api.get<{ cancellationReasons: { id: string }[] }>(
    '/cancellation-reason-storage/cancellation-reasons',
  )
  await api.put(`/circulation/requests/${id}`, {
    ...now,
    status: 'Closed - Cancelled',
    cancellationReasonId: cancellationReasons[0]?.id,
    cancelledDate: new Date().toISOString(),
  })
  await staff.goto('/staff/requests/shelf')
  const { text } = await saved(staff, () =>
    staff.getByRole('button', { name: 'Save as CSV' }).click(),
  )
  expect(text).toContain(item.barcode)
})
