// The settings of orders are made where settings are, and used where orders are.
import type { Page } from '@playwright/test'
import { type Api, expect, test } from './fixtures'
import { makeBuyer, makeOrder, mark } from './money'

async function make(page: Page, of: string, list: string, fill: () => Promise<void>) {
  await page.goto(`/staff/settings?of=${of}&id=new`)
  await fill()
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('heading', { name: list, level: 1 })).toBeVisible()
}

async function pick(page: Page, field: RegExp, option: string) {
  await page.getByRole('button', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const named = (page: Page, text: string) =>
  page.getByRole('textbox', { name: /^Name/ }).first().fill(text)

async function choose(page: Page, field: string, words: string, option: RegExp) {
  await page.getByRole('combobox', { name: field }).fill(words)
  await page.getByRole('option', { name: option }).first().click()
}

test('a prefix, a suffix, a template: an order begins with them, and its line too', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(150_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 500)
  const [prefix, suffix] = [`P${name.slice(0, 4)}`, `S${name.slice(4)}`]
  await make(staff, 'order-prefixes', 'Prefixes', async () => {
    await named(staff, prefix)
    await staff.getByLabel('Description').fill('Standing orders')
  })
  await expect(staff.getByRole('grid', { name: 'Prefixes' })).toContainText('Standing orders')
  await make(staff, 'order-suffixes', 'Suffixes', () => named(staff, suffix))
  await make(staff, 'order-templates', 'Order templates', async () => {
    await named(staff, `Monographien ${name}`)
    await choose(staff, 'Vendor', `Reiher ${name}`, new RegExp(`Reiher ${name}`))
    await pick(staff, /Prefix/, prefix)
    await pick(staff, /Suffix/, suffix)
    await pick(staff, /^Choose.*Format|Format/, 'Physical')
    await staff.getByRole('spinbutton', { name: 'Unit price', exact: true }).fill('19.5')
    await staff.getByRole('button', { name: 'Add fund' }).click()
    await pick(staff, /^Choose.* Fund|Fund$/, buyer.fund.code)
    await a11y('an order template')
  })
  await staff.goto('/staff/orders')
  await staff.getByRole('button', { name: 'New from a template' }).click()
  await staff.getByRole('menuitem', { name: new RegExp(`Monographien ${name}`) }).click()
  await expect(
    staff.getByRole('heading', { name: `New order: Monographien ${name}` }),
  ).toBeVisible()
  await expect(staff.getByRole('combobox', { name: 'Vendor' })).toHaveValue(`Reiher ${name}`)
  await a11y('an order from a template')
  await staff.keyboard.press('Control+s')
  await expect(
    staff.getByRole('heading', { name: new RegExp(`^Order ${prefix}\\d+${suffix}$`) }),
  ).toBeVisible()
  await expect(staff.getByText(`Monographien ${name}`)).toBeVisible()
  await staff.keyboard.press('Alt+n')
  await expect(staff.getByLabel('Unit price', { exact: true })).toHaveValue('19.5')
  await expect(staff.getByLabel('Fund (needed)')).toHaveValue(buyer.fund.id)
  await staff.getByLabel('Title (needed)').fill(`Nach Vorlage ${name}`)
  await staff.getByLabel('Location', { exact: true }).selectOption({ index: 1 })
  await staff.getByLabel('Material type').first().selectOption({ label: 'book' })
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('grid', { name: 'Lines' })).toContainText('$19.50')
  // Another prefix: the number follows.
  await staff.keyboard.press('Alt+e')
  await staff.getByLabel('Prefix').selectOption({ index: 0 })
  await staff.keyboard.press('Control+s')
  await expect(
    staff.getByRole('heading', { name: new RegExp(`^Order \\d+${suffix}$`) }),
  ).toBeVisible()
  // A suffix that an order has is not deleted.
  await staff.goto('/staff/settings?of=order-suffixes')
  await staff.getByRole('link', { name: suffix }).click()
  await staff.getByRole('button', { name: 'Delete' }).click()
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(staff.getByText('Orders have this suffix.')).toBeVisible()
})

test('a reason for closing and an acquisition method are made; the system’s own stay', async ({
  staff,
}) => {
  const name = mark()
  await make(staff, 'closing-reasons', 'Reasons for closing', () => named(staff, `Flut ${name}`))
  const reasons = staff.getByRole('grid', { name: 'Reasons for closing' })
  await expect(reasons.getByRole('row', { name: new RegExp(`Flut ${name}`) })).toContainText('User')
  await make(staff, 'acquisition-methods', 'Acquisition methods', () =>
    named(staff, `Tausch ${name}`),
  )
  await expect(staff.getByRole('grid', { name: 'Acquisition methods' })).toContainText(
    `Tausch ${name}`,
  )
  await staff.getByRole('link', { name: 'Purchase', exact: true }).click()
  await staff.getByRole('button', { name: 'Delete' }).click()
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(staff.getByText('It came with the system and stays.')).toBeVisible()
})

test('an acquisitions unit has members, and protects the orders that it is given', async ({
  staff,
  api,
  a11y,
}) => {
  const name = mark()
  await make(staff, 'acquisitions-units', 'Acquisitions units', async () => {
    await named(staff, `Zweigstelle ${name}`)
    await staff.getByRole('button', { name: 'Add member' }).click()
    await choose(staff, 'Member', 'Okwuosa', /Okwuosa/)
    await a11y('an acquisitions unit')
  })
  const unit = await unitOf(api, `Zweigstelle ${name}`)
  expect(await membersOf(api, unit)).toHaveLength(1)
  const buyer = await makeBuyer(api, name, 100)
  const order = await makeOrder(api, buyer, `Geschützt ${name}`, 1)
  // The person who gives the unit is no member: from then on nothing of it may change.
  await staff.goto(`/staff/orders/${order.id}/edit`)
  await staff.getByRole('button', { name: 'Add: Acquisitions units' }).click()
  await staff.getByLabel('Acquisitions units 1', { exact: true }).selectOption(unit)
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText(`Zweigstelle ${name}`)).toBeVisible()
  // Its members change in its form.
  await staff.goto(`/staff/settings?of=acquisitions-units&id=${unit}`)
  await staff.getByRole('button', { name: 'Remove: Members, 1' }).click()
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: 'Acquisitions units', level: 1 })).toBeVisible()
  expect(await membersOf(api, unit)).toHaveLength(0)
})

async function unitOf(api: Api, name: string): Promise<string> {
  const { acquisitionsUnits } = await api.get<{ acquisitionsUnits: { id: string }[] }>(
    `/acquisitions-units/units?query=${encodeURIComponent(`name=="${name}"`)}`,
  )
  return acquisitionsUnits[0]?.id ?? ''
}
const membersOf = async (api: Api, unit: string) =>
  (
    await api.get<{ acquisitionsUnitMemberships: unknown[] }>(
      `/acquisitions-units/memberships?query=acquisitionsUnitId==${unit}`,
    )
  ).acquisitionsUnitMemberships

test('where orders have to be approved, one that is not is refused until it is', async ({
  staff,
  api,
  a11y,
}) => {
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const order = await makeOrder(api, buyer, `Genehmigt ${name}`, 1)
  const required = staff.getByLabel('Orders have to be approved before they are opened')
  const save = async () => {
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('button', { name: /^Save/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  }
  await staff.goto('/staff/settings?of=order-settings')
  await required.check()
  await staff.getByRole('spinbutton', { name: 'Most lines of an order' }).fill('7')
  await a11y('the settings of orders')
  await save()
  try {
    await staff.reload()
    await expect(required).toBeChecked()
    await staff.goto(`/staff/orders/${order.id}`)
    const card = staff.getByRole('form', { name: 'Open the order?' })
    await staff.getByRole('button', { name: /^Open order/ }).click()
    await card.getByRole('button', { name: /^Open/ }).click()
    await expect(card.getByRole('alert')).toContainText('The order has to be approved first.')
    await staff.keyboard.press('Escape')
    await staff.keyboard.press('Alt+e')
    await staff.getByLabel('Approved').check()
    await staff.keyboard.press('Control+s')
    await staff.getByRole('button', { name: /^Open order/ }).click()
    await card.getByRole('button', { name: /^Open/ }).click()
    await expect(staff.getByText('Awaiting receipt')).toBeVisible()
  } finally {
    await staff.goto('/staff/settings?of=order-settings')
    await required.uncheck()
    await save()
  }
  const { configs } = await api.get<{ configs: { configName: string; value: string }[] }>(
    '/configurations/entries?query=module==ORDERS',
  )
  expect(configs).toContainEqual(
    expect.objectContaining({ configName: 'poLines-limit', value: '7' }),
  )
})
