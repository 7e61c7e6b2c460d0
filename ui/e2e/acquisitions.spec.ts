// From a vendor and a budget to a paid invoice, at the desk of somebody who buys: each step where staff does it.
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { makeBuyer, makeFund, makeOrder, mark } from './money'

/** A value of the list of a record's facts or of the arithmetic. */
const sumOf = (page: Page, name: string) =>
  page
    .getByRole('row', { name: new RegExp(`^\\W*${name}`) })
    .getByRole('cell')
    .last()

async function choose(page: Page, field: string, words: string, option: RegExp) {
  await page.getByRole('combobox', { name: field }).fill(words)
  await page.getByRole('option', { name: option }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
}

test('an organization, a budget, an order, a piece, an invoice, and the budget knows it', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(240_000)
  const name = mark()
  const { fund, year } = await makeFund(api, name)
  const title = `Wörterbuch der Fische ${name}`

  await test.step('a vendor is made', async () => {
    await staff.goto('/staff/check-in')
    await staff.getByRole('link', { name: 'Organizations' }).press('Enter')
    await expect(staff.getByRole('heading', { name: 'Organizations', level: 1 })).toBeVisible()
    await staff.getByLabel('Name or code').press('Alt+n')
    await expect(staff.getByRole('heading', { name: 'New organization' })).toBeVisible()
    // What is needed is asked for in its place.
    await staff.getByLabel('Name (needed)').press('Control+s')
    await expect(staff.getByRole('link', { name: /^Code/ })).toBeVisible()
    await staff.getByLabel('Name (needed)').fill(`Otter Books ${name}`)
    await staff.getByLabel('Code (needed)').fill(`OTTER${name}`)
    await a11y('the form of an organization')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('heading', { name: `Otter Books ${name}` })).toBeVisible()
    await a11y('an organization')
  })

  await test.step('somebody there can be reached', async () => {
    await staff.getByRole('button', { name: 'Add contact' }).click()
    await staff.getByLabel('First name').fill('Ida')
    await staff.getByLabel('Last name').fill('Otter')
    await staff.getByRole('button', { name: 'Add: E-mail' }).click()
    await staff.getByLabel('E-mail (needed)').fill('ida@example.org')
    await staff.keyboard.press('Enter')
    await expect(staff.getByRole('grid', { name: 'Contacts' })).toContainText('ida@example.org')
  })

  await test.step('a budget is made and gets more', async () => {
    await staff.goto(`/staff/finance/funds/${fund.id}`)
    await expect(staff.getByRole('heading', { name: fund.name })).toBeVisible()
    await staff.keyboard.press('Alt+n')
    await staff.getByLabel('Fiscal year (needed)').selectOption(year.id)
    await staff.getByLabel('Initial allocation').fill('1000')
    await a11y('the form of a budget')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('heading', { name: `${fund.code}-${year.code}` })).toBeVisible()
    await expect(sumOf(staff, 'Available')).toHaveText('$1,000.00')
    await staff.keyboard.press('Alt+a')
    await staff.getByLabel('Amount').fill('250.50')
    await a11y('moving money')
    await staff.keyboard.press('Enter')
    await expect(sumOf(staff, 'Increases')).toHaveText('$250.50')
    await expect(sumOf(staff, 'Total funding')).toHaveText('$1,250.50')
    await a11y('a budget')
  })
  const budget = staff.url()

  await test.step('an order with a line of two copies', async () => {
    await staff.keyboard.press('g')
    await staff.keyboard.press('b')
    await expect(staff.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible()
    await staff.keyboard.press('Alt+n')
    await choose(staff, 'Vendor', `Otter Books ${name}`, new RegExp(`Otter Books ${name}`))
    await a11y('the form of an order')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('heading', { name: /^Order \d+/ })).toBeVisible()
    await staff.keyboard.press('Alt+n')
    await staff.getByLabel('Title (needed)').fill(title)
    await staff.getByLabel('Unit price', { exact: true }).fill('40.25')
    await staff.getByLabel('Physical copies').first().fill('2')
    await staff.getByLabel('Fund (needed)').selectOption(fund.id)
    await staff.getByLabel('Location', { exact: true }).selectOption({ index: 1 })
    await staff.getByRole('group', { name: 'Locations 1' }).getByLabel('Physical copies').fill('2')
    await staff.getByLabel('Material type').first().selectOption({ label: 'book' })
    await a11y('the form of a line')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('grid', { name: 'Lines' })).toContainText(title)
    await expect(staff.getByText('$80.50').first()).toBeVisible()
    await a11y('an order')
  })
  const order = staff.url()

  await test.step('it is opened, and the money is encumbered', async () => {
    await staff.keyboard.press('Alt+o')
    await expect(staff.getByRole('form', { name: 'Open the order?' })).toBeVisible()
    await staff.keyboard.press('Enter')
    await expect(staff.getByText('Awaiting receipt')).toBeVisible()
    await staff.goto(budget)
    await expect(sumOf(staff, 'Encumbered')).toHaveText('$80.50')
    await expect(sumOf(staff, 'Available')).toHaveText('$1,170.00')
  })

  await test.step('one piece comes in with its barcode, one without, one goes back', async () => {
    await staff.goto(order)
    await staff.getByRole('link', { name: title }).click()
    await expect(staff.getByText('0 of 2 received')).toBeVisible()
    const field = staff.getByLabel('Barcode of the next piece')
    await field.fill(`7${Date.now()}`)
    await field.press('Enter')
    await expect(staff.getByText('1 of 2 received')).toBeVisible()
    await expect(staff.getByText('Partially received')).toBeVisible()
    await expect(field).toBeFocused()
    await a11y('pieces')
    const rows = staff.getByRole('grid', { name: 'Pieces' }).getByRole('row')
    await rows.nth(1).focus()
    await staff.keyboard.press('Space')
    await staff.keyboard.press('Alt+r')
    await expect(staff.getByText('2 of 2 received')).toBeVisible()
    await expect(staff.getByText('Fully received')).toBeVisible()
    await rows.nth(1).focus()
    await staff.keyboard.press('Space')
    await staff.keyboard.press('Alt+u')
    await expect(staff.getByText('1 of 2 received')).toBeVisible()
  })

  await test.step('a barcode that another item has is refused and stays in the field', async () => {
    const { items } = await api.get<{ items: { barcode?: string }[] }>(
      '/item-storage/items?limit=50',
    )
    const taken = items.find((one) => one.barcode)?.barcode ?? ''
    expect(taken).not.toBe('')
    const field = staff.getByLabel('Barcode of the next piece')
    await field.fill(taken)
    await field.press('Enter')
    await expect(staff.getByRole('main').getByRole('alert')).toContainText(
      'Another item has this barcode.',
    )
    await expect(field).toHaveValue(taken)
    await field.fill('')
  })

  await test.step('the invoice of the order is approved and paid', async () => {
    await staff.goto(order)
    await expect(staff.getByRole('heading', { name: /^Order \d+/ })).toBeVisible()
    await staff.keyboard.press('Alt+i')
    await staff.getByLabel(/^Invoice number of the vendor/).fill(`R-${name}`)
    await a11y('the form of an invoice')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('heading', { name: `Invoice R-${name}` })).toBeVisible()
    await expect(staff.getByRole('grid', { name: 'Lines' })).toContainText(title)
    await a11y('an invoice')
    await staff.keyboard.press('Alt+a')
    await expect(staff.getByRole('form', { name: 'Approve $80.50?' })).toBeVisible()
    await staff.keyboard.press('Enter')
    await expect(staff.getByRole('grid', { name: 'Lines of the voucher' })).toContainText('$80.50')
    await a11y('an approved invoice')
    await staff.keyboard.press('Alt+p')
    await expect(staff.getByRole('form', { name: 'Pay $80.50?' })).toBeVisible()
    await staff.keyboard.press('Enter')
    await expect(staff.getByText('Paid', { exact: true }).first()).toBeVisible()
  })

  await test.step('the budget has paid it', async () => {
    await staff.goto(budget)
    await expect(sumOf(staff, 'Encumbered')).toHaveText('$0.00')
    await expect(sumOf(staff, 'Expended')).toHaveText('$80.50')
    await expect(sumOf(staff, 'Available')).toHaveText('$1,170.00')
    const picture = staff.getByRole('img', { name: /\$1,170\.00 available/ })
    await expect(picture).toBeVisible()
    await expect(picture).toHaveAccessibleName(/\$80\.50 expended/)
    await staff.getByRole('link', { name: 'Transactions' }).click()
    const rows = staff.getByRole('grid', { name: 'Transactions' })
    await expect(rows).toContainText('Payment')
    await expect(rows).toContainText('Encumbrance')
    await a11y('transactions')
  })
})

test('a budget that has not enough refuses the order by name, and nothing is open', async ({
  staff,
  api,
  a11y,
}) => {
  const name = mark()
  const buyer = await makeBuyer(api, name, 10)
  const { fund } = buyer
  const order = await makeOrder(api, buyer, `Teuer ${name}`, 5.5)
  await staff.goto(`/staff/orders/${order.id}`)
  await staff.getByRole('button', { name: /^Open order/ }).click()
  const card = staff.getByRole('form', { name: 'Open the order?' })
  await expect(card.getByRole('button', { name: /^Open/ })).toBeFocused()
  await staff.keyboard.press('Enter')
  await expect(card.getByRole('alert')).toContainText('has not enough money for it.')
  await expect(card.getByRole('alert')).toContainText(fund.code)
  await a11y('a refused order')
  const now = await api.get<{ workflowStatus: string }>(`/orders/composite-orders/${order.id}`)
  expect(now.workflowStatus).toBe('Pending')
})

test('two people change one organization: both versions are shown, nothing is lost', async ({
  staff,
  api,
  a11y,
}) => {
  const name = mark()
  const made = await api.post<{ id: string }>('/organizations/organizations', {
    name: `Dachs ${name}`,
    code: `D${name}`,
    status: 'Active',
  })
  const path = `/organizations/organizations/${made.id}`
  await staff.goto(`/staff/organizations/${made.id}/edit`)
  await staff.getByLabel('Description', { exact: true }).first().fill('mine')
  const other = await api.get<Record<string, unknown>>(path)
  await api.put(path, { ...other, description: 'theirs', erpCode: 'E-1' })
  await staff.keyboard.press('Control+s')
  const conflict = staff.getByRole('region', { name: /Somebody else changed this record/ })
  await expect(conflict).toBeVisible()
  await expect(conflict).toContainText('theirs')
  await a11y('a conflict')
  await conflict.getByRole('button', { name: 'Save these versions' }).click()
  await expect(conflict).toBeHidden()
  await expect.poll(() => api.get(path)).toMatchObject({ description: 'mine', erpCode: 'E-1' })
})
