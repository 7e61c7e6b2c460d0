// The fields of a library's own, of orders, lines and users: defined in the settings, filled in where the records are,
// put in another order, deleted with their values. And the tags of an invoice's line.
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { pick, setUp } from './forms'
import { makeBuyer, makeOrder, mark } from './money'

const named = (staff: Page, name: string) =>
  staff.getByRole('textbox', { name: /^Name/ }).first().fill(name)

interface Fielded {
  customFields?: Record<string, unknown>
}

test('own fields of orders and lines: made, filled in, moved, deleted', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(240_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 500)
  await setUp(staff, 'order-fields', 'Own fields of orders', async () => {
    await named(staff, `Way ${name}`)
    await pick(staff, /Kind of field/, 'one of a list')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByText('1 field is empty.')).toBeVisible()
    for (const [number, option] of [
      [1, 'gift'],
      [2, 'bought'],
    ] as const) {
      await staff.getByRole('button', { name: 'Add a choice' }).click()
      await staff
        .getByRole('group', { name: `Choices, ${number}`, exact: true })
        .getByRole('textbox', { name: /^Choice/ })
        .fill(option)
    }
    await a11y('an own field')
  })
  await setUp(staff, 'order-fields', 'Own fields of orders', async () => {
    await named(staff, `Number ${name}`)
    await pick(staff, /What may be typed/, 'a number')
    await staff.getByRole('textbox', { name: 'Help for who fills it in' }).fill('As on the slip')
  })
  await setUp(staff, 'line-fields', 'Own fields of order lines', async () => {
    await named(staff, `Gift ${name}`)
    await pick(staff, /Kind of field/, 'a tick')
  })
  const order = await makeOrder(api, buyer, `Krickenten ${name}`, 10)
  const read = () => api.get<Fielded>(`/orders/composite-orders/${order.id}`)
  const edit = async () => {
    await staff.goto(`/staff/orders/${order.id}/edit`)
    await expect(staff.getByLabel(`Way ${name}`)).toBeVisible()
  }
  await edit()
  await staff.getByLabel(`Way ${name}`).selectOption('bought')
  await staff.getByLabel(`Number ${name}`).fill('seven')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('link', { name: /Invalid Number format/ })).toBeVisible()
  await staff.getByLabel(`Number ${name}`).fill('7')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: /^Order \d+/ })).toBeVisible()
  const { customFields = {} } = await read()
  expect(Object.values(customFields).toSorted()).toEqual(['7', 'opt_2'])
  const line = order.compositePoLines[0]?.id
  await staff.goto(`/staff/orders/${order.id}/lines/${line}/edit`)
  await staff.getByRole('checkbox', { name: `Gift ${name}` }).check()
  await staff.keyboard.press('Control+s')
  await expect(staff).toHaveURL(new RegExp(`/lines/${line}$`))
  const stored = await api.get<Fielded>(`/orders/order-lines/${line}`)
  expect(Object.values(stored.customFields ?? {})).toEqual([true])

  // What was made last comes first.
  const open = async (field: string) => {
    await staff.goto('/staff/settings?of=order-fields')
    await staff.getByRole('link', { name: field }).click()
    await expect(staff.getByRole('button', { name: /Kind of field/ })).toHaveCount(0)
  }
  await open(`Number ${name}`)
  await staff.getByRole('spinbutton', { name: 'Place in the form' }).fill('1')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Own fields of orders', level: 1 })).toBeVisible()
  await edit()
  const labels = await staff
    .locator('label')
    .filter({ hasText: name })
    .evaluateAll((all) => all.map((one) => one.textContent))
  expect(labels).toEqual([`Number ${name}`, `Way ${name}`])

  // Deleting says what goes with it.
  await open(`Way ${name}`)
  await staff.getByRole('button', { name: 'Delete', exact: true }).click()
  const asks = staff.getByRole('alertdialog')
  await expect(asks).toContainText('1 record has it filled in and loses it.')
  await a11y('an own field is to be deleted')
  await asks.getByRole('button', { name: 'Delete' }).click()
  await expect(staff.getByRole('heading', { name: 'Own fields of orders', level: 1 })).toBeVisible()
  expect(Object.values((await read()).customFields ?? {})).toEqual(['7'])
})

test('an own field of users stands in their form', async ({ staff, api, a11y }) => {
  const name = mark()
  await setUp(staff, 'user-fields', 'Own fields of users', async () => {
    await named(staff, `Badge ${name}`)
  })
  await expect(staff.getByRole('grid', { name: 'Own fields of users' })).toContainText(
    `Badge ${name}`,
  )
  await a11y('the list of own fields')
  const { users } = await api.get<{ users: { id: string }[] }>('/users?limit=1')
  await staff.goto(`/staff/users/${users[0]?.id}/edit`)
  await expect(staff.getByLabel(`Badge ${name}`)).toBeVisible()
})

test('a line of an invoice has tags', async ({ staff, api, a11y }) => {
  test.setTimeout(120_000)
  const name = mark()
  const tag = `urgent${name.toLowerCase()}`
  const buyer = await makeBuyer(api, name, 500)
  const { batchGroups } = await api.get<{ batchGroups: { id: string }[] }>('/batch-groups?limit=1')
  const invoice = await api.post<{ id: string }>('/invoice/invoices', {
    vendorId: buyer.vendor.id,
    vendorInvoiceNo: `T${name}`,
    invoiceDate: '2026-03-01T00:00:00.000+00:00',
    status: 'Open',
    source: 'User',
    currency: 'USD',
    paymentMethod: 'EFT',
    batchGroupId: batchGroups[0]?.id,
  })
  const line = await api.post<{ id: string }>('/invoice/invoice-lines', {
    invoiceId: invoice.id,
    description: `Binding ${name}`,
    invoiceLineStatus: 'Open',
    quantity: 1,
    subTotal: 10,
    releaseEncumbrance: false,
  })
  await staff.goto(`/staff/invoices/${invoice.id}/lines/${line.id}/edit`)
  await staff.getByRole('combobox', { name: 'Add: Tags', exact: true }).fill(tag)
  await staff
    .getByRole('option', { name: new RegExp(`^${tag}`) })
    .first()
    .click()
  await expect(staff.getByRole('button', { name: `Remove: ${tag}` })).toBeVisible()
  await a11y('the tags of a line')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('grid', { name: 'Lines' })).toContainText(tag)
  await a11y('an invoice whose line has a tag')
  expect(await api.get(`/invoice/invoice-lines/${line.id}`)).toMatchObject({
    tags: { tagList: [tag] },
  })
  expect((await api.get<{ tags: unknown[] }>(`/tags?query=label==${tag}`)).tags).toHaveLength(1)
})
