// What orders, lines and funds have beside the usual: tags, addresses, fields of the library's own, fields that a
// template leaves out, places that a fund pays for; and the numbers of vouchers.
import type { Page } from '@playwright/test'
import { type Api, expect, test } from './fixtures'
import { setUp } from './forms'
import { makeBuyer, makeOrder, mark } from './money'

interface Tagged {
  tags?: { tagList: string[] }
  customFields?: Record<string, unknown>
  billTo?: string
  shipTo?: string
  template?: string
}

const chosen = async (page: Page, field: string, words: string, option: string | RegExp) => {
  await page.getByRole('combobox', { name: field, exact: true }).fill(words)
  await page.getByRole('option', { name: option }).first().click()
}
const tagged = async (page: Page, words: string, option: RegExp) =>
  chosen(page, 'Add: Tags', words, option)
const removed = (page: Page, tag: string) =>
  page.getByRole('button', { name: `Remove: ${tag}` }).click()
const count = async (api: Api, label: string) =>
  (await api.get<{ tags: unknown[] }>(`/tags?query=label==${label}`)).tags.length

/** A field of the library's own; several modules have such fields, the request names the one that it means. */
async function define(page: Page, tenant: string, field: object) {
  const headers = { 'X-Okapi-Tenant': tenant, 'X-Requested-With': 'octavo' }
  const path = `/_/proxy/tenants/${tenant}/interfaces/custom-fields?type=multiple`
  const modules = (await (await page.request.get(path, { headers })).json()) as { id: string }[]
  const id = modules.find((one) => one.id.startsWith('mod-orders-storage-'))?.id ?? ''
  const answer = await page.request.post('/custom-fields', {
    headers: { ...headers, 'X-Okapi-Module-Id': id },
    data: { visible: true, helpText: '', ...field },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return ((await answer.json()) as { refId: string }).refId
}

test('an order and its line have tags, addresses and fields of the library’s own', async ({
  staff,
  api,
  a11y,
  tenant,
}) => {
  test.setTimeout(180_000)
  const name = mark()
  const small = name.toLowerCase()
  const buyer = await makeBuyer(api, name, 500)
  await setUp(staff, 'addresses', 'Addresses of the library', async () => {
    await staff.getByRole('textbox', { name: /^Name/ }).fill(`Annex ${name}`)
    await staff.getByRole('textbox', { name: 'Address' }).fill('12 Quay Street')
  })
  const day = await define(staff, tenant, {
    name: `Needed by ${name}`,
    entityType: 'purchase_order',
    type: 'DATE_PICKER',
  })
  const way = await define(staff, tenant, {
    name: `Course ${name}`,
    entityType: 'po_line',
    type: 'SINGLE_SELECT_DROPDOWN',
    selectField: {
      multiSelect: false,
      options: {
        values: [
          { id: 'opt_0', value: 'Biology' },
          { id: 'opt_1', value: 'History' },
        ],
      },
    },
  })
  const order = await makeOrder(api, buyer, `Seeschwalben ${name}`, 10)
  const line = order.compositePoLines[0]?.id
  const read = () => api.get<Tagged>(`/orders/composite-orders/${order.id}`)

  await staff.goto(`/staff/orders/${order.id}/edit`)
  await staff.getByLabel('Bill to').selectOption({ label: `Annex ${name}` })
  await staff.getByLabel('Ship to').selectOption({ label: `Annex ${name}` })
  await staff.getByLabel(`Needed by ${name}`).fill('2027-02-03')
  await tagged(staff, `Rush ${name}`, new RegExp(`^rush${small}`))
  await expect(staff.getByRole('combobox', { name: 'Add: Tags' })).toBeFocused()
  await tagged(staff, `gift${small}`, new RegExp(`^gift${small}`))
  await removed(staff, `gift${small}`)
  await a11y('an order with tags and own fields')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: /^Order \d+/ })).toBeVisible()
  await expect(staff.getByText(`Annex ${name}`).first()).toBeVisible()
  await expect(staff.getByText(`rush${small}`)).toBeVisible()
  await expect(staff.getByText(`Needed by ${name}`)).toBeVisible()
  await a11y('an order whose facts have tags')
  const stored = await read()
  expect(stored.tags).toEqual({ tagList: [`rush${small}`] })
  expect(stored.customFields).toEqual({ [day]: '2027-02-03' })
  expect(stored.billTo).toBeTruthy()
  expect(stored.shipTo).toBe(stored.billTo)
  expect(await count(api, `rush${small}`)).toBe(1)
  expect(await count(api, `gift${small}`)).toBe(0)

  await staff.goto(`/staff/orders/${order.id}/lines/${line}/edit`)
  await staff.getByLabel(`Course ${name}`).selectOption('History')
  // A tag that is known is offered, not made again.
  await tagged(staff, `rush${small}`, new RegExp(`^rush${small}$`))
  await staff.keyboard.press('Control+s')
  await expect(staff).toHaveURL(new RegExp(`/lines/${line}$`))
  await expect(staff.getByRole('definition').filter({ hasText: 'History' })).toBeVisible()
  expect(await api.get<Tagged>(`/orders/order-lines/${line}`)).toMatchObject({
    customFields: { [way]: 'opt_1' },
    tags: { tagList: [`rush${small}`] },
  })
  expect(await count(api, `rush${small}`)).toBe(1)

  // Somebody else gave the order another tag meanwhile: both versions are shown.
  await staff.goto(`/staff/orders/${order.id}/edit`)
  await tagged(staff, `mine${small}`, new RegExp(`^mine${small}`))
  await api.put(`/orders/composite-orders/${order.id}`, {
    ...(await read()),
    tags: { tagList: [`theirs${small}`] },
  })
  await staff.keyboard.press('Control+s')
  const conflict = staff.getByRole('region', { name: /Somebody else changed this record/ })
  await expect(conflict).toContainText(`theirs${small}`)
  await conflict.getByRole('button', { name: 'Save these versions' }).click()
  await expect(staff.getByRole('heading', { name: /^Order \d+/ })).toBeVisible()
  await expect(staff.getByText(`mine${small}`)).toBeVisible()
  expect((await read()).tags?.tagList).toContain(`mine${small}`)
})

test('a template leaves fields out of the forms; they are shown when somebody wants them', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(150_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 500)
  await setUp(staff, 'order-templates', 'Order templates', async () => {
    await staff.getByRole('textbox', { name: /^Name/ }).first().fill(`Kurz ${name}`)
    await staff.getByRole('combobox', { name: 'Vendor' }).fill(`Reiher ${name}`)
    await staff.getByRole('option', { name: new RegExp(`Reiher ${name}`) }).click()
    const ofOrder = staff.getByRole('group', { name: 'Left out of the form of an order' })
    await ofOrder.getByRole('checkbox', { name: 'Assigned to' }).check()
    await ofOrder.getByRole('checkbox', { name: 'Review period (days)' }).check()
    const ofLine = staff.getByRole('group', { name: 'Left out of the form of a line' })
    await ofLine.getByRole('checkbox', { name: 'Note for receiving' }).check()
    await a11y('a template that leaves fields out')
  })
  const { orderTemplates } = await api.get<{
    orderTemplates: { id: string; hiddenFields: unknown }[]
  }>(`/orders/order-templates?query=templateName=="Kurz ${name}"`)
  expect(orderTemplates[0]?.hiddenFields).toEqual({
    assignedTo: true,
    ongoing: { reviewPeriod: true },
    details: { receivingNote: true },
  })
  await staff.goto(`/staff/orders/new/edit?template=${orderTemplates[0]?.id}`)
  await expect(staff.getByText('The template leaves out 2 fields.')).toBeVisible()
  await expect(staff.getByRole('combobox', { name: 'Assigned to' })).toBeHidden()
  await staff.getByRole('button', { name: 'Add: Notes' }).click()
  await staff.getByRole('textbox', { name: 'Notes 1' }).fill('typed before')
  await a11y('an order whose template leaves fields out')
  await staff.getByRole('button', { name: 'Show all fields' }).click()
  await expect(staff.getByRole('combobox', { name: 'Assigned to' })).toBeVisible()
  // Nothing of what was typed is lost by it.
  await expect(staff.getByRole('textbox', { name: 'Notes 1' })).toHaveValue('typed before')

  const order = await makeOrder(api, buyer, `Alken ${name}`, 5, {
    details: { receivingNote: 'kept' },
  })
  const path = `/orders/composite-orders/${order.id}`
  await api.put(path, { ...(await api.get<object>(path)), template: orderTemplates[0]?.id })
  const line = order.compositePoLines[0]?.id
  await staff.goto(`/staff/orders/${order.id}/lines/${line}/edit`)
  await expect(staff.getByText('The template leaves out 1 field.')).toBeVisible()
  await expect(staff.getByLabel('Note for receiving')).toBeHidden()
  await staff.getByLabel('Requester').fill('Ada')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('Ada', { exact: true })).toBeVisible()
  // What is not shown stays as it is.
  expect(await api.get(`/orders/order-lines/${line}`)).toMatchObject({
    requester: 'Ada',
    details: { receivingNote: 'kept' },
  })
})

test('a fund pays for its locations only: an order for another place is not opened, and says why', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(150_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 500)
  const { locations } = await api.get<{ locations: { id: string; name: string; code: string }[] }>(
    '/locations?limit=2&query=isActive==true sortby name',
  )
  const [bought, paid] = locations
  await staff.goto(`/staff/finance/funds/${buyer.fund.id}/edit`)
  await staff.getByRole('checkbox', { name: 'Pays for these locations only' }).check()
  await staff.getByRole('button', { name: 'Add: Locations' }).click()
  await staff.getByLabel('Location (needed)').selectOption(paid?.id ?? '')
  await a11y('a fund with locations')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText(paid?.name ?? '', { exact: true })).toBeVisible()
  expect(await api.get(`/finance/funds/${buyer.fund.id}`)).toMatchObject({
    fund: { restrictByLocations: true, locations: [{ locationId: paid?.id }] },
  })
  const order = await makeOrder(api, buyer, `Tölpel ${name}`, 5, {
    locations: [{ locationId: bought?.id, quantityPhysical: 2, quantity: 2 }],
  })
  await staff.goto(`/staff/orders/${order.id}`)
  await expect(staff.getByRole('heading', { name: /^Order \d+/ })).toBeVisible()
  await staff.keyboard.press('Alt+o')
  await expect(staff.getByRole('form', { name: 'Open the order?' })).toBeVisible()
  await staff.keyboard.press('Enter')
  await expect(
    staff.getByRole('form', { name: 'Open the order?' }).getByRole('alert'),
  ).toContainText('A fund pays for certain locations only')
  await a11y('an order that its fund does not pay for')
})

test('the numbers of vouchers begin where the library wants, with letters before them', async ({
  staff,
  api,
  a11y,
}) => {
  const start = 1000 + Math.floor(Math.random() * 1_000_000)
  await staff.goto('/staff/settings?of=voucher-numbers')
  const prefix = staff.getByLabel('Letters before the number')
  await prefix.fill('V-1')
  await staff.getByLabel(/^Counting begins with/).fill(String(start))
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('Type letters only.')).toBeVisible()
  await a11y('letters that are none')
  await prefix.fill('ACC')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('button', { name: /^Save/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  expect(await api.get('/voucher/voucher-number/start')).toEqual({ sequenceNumber: String(start) })
  const { configs } = await api.get<{ configs: { value: string }[] }>(
    '/configurations/entries?query=module==INVOICE and configName==voucherNumber',
  )
  expect(configs.map(({ value }) => JSON.parse(value))).toEqual([{ voucherNumberPrefix: 'ACC' }])
  await staff.reload()
  await expect(prefix).toHaveValue('ACC')
})

test('the list under a field goes with it while the page moves, and closes when it is out of sight', async ({
  staff,
}) => {
  await staff.setViewportSize({ width: 1280, height: 480 })
  await staff.goto('/staff/orders/new/edit')
  const field = staff.getByRole('combobox', { name: 'Vendor' })
  await field.fill('a')
  const list = staff.getByRole('listbox')
  await expect(list).toBeVisible()
  const scrolled = (by: number) =>
    field.evaluate((input, step) => {
      let pane = input.parentElement
      while (pane && !/auto|scroll/.test(getComputedStyle(pane).overflowY))
        pane = pane.parentElement
      pane?.scrollBy({ top: step, behavior: 'instant' })
      return new Promise<number>((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done(pane?.scrollTop ?? 0))),
      )
    }, by)
  const between = async () => {
    const [above, below] = [await field.boundingBox(), await list.boundingBox()]
    return (below?.y ?? 0) - (above?.y ?? 0)
  }
  const before = await between()
  expect(await scrolled(40)).toBe(40)
  await expect(list).toBeVisible()
  expect(Math.abs((await between()) - before)).toBeLessThan(2)
  await scrolled(900)
  await expect(list).toBeHidden()
})
