// Money of a library at the desk of somebody who keeps it: what funds are sorted by, budgets and their movements, groups,
// and the step into the next fiscal year.
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { pick, setUp, sumOf } from './forms'
import { letters, makeBudget, makeBuyer, makeFund, makeNextYear, makeOrder, mark } from './money'

const NOW = new Date().getUTCFullYear()

test('a year, a ledger, a group, a fund of a type and a budget with an expense class, by forms', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(180_000)
  const name = mark()
  const code = `${letters(name)}${NOW}`
  const nameField = staff.getByRole('textbox', { name: 'Name (needed)' })

  await test.step('fund type and expense class are settings', async () => {
    await setUp(staff, 'fund-types', 'Fund types', async () => {
      await nameField.fill(`Books ${name}`)
    })
    await setUp(staff, 'expense-classes', 'Expense classes', async () => {
      await nameField.fill(`Printed ${name}`)
      await staff.getByRole('textbox', { name: /^Code/ }).fill(`P${name}`)
      await staff.getByRole('textbox', { name: 'Ending of the account number' }).fill('07')
      await a11y('an expense class')
    })
    await staff.getByLabel('Filter this list').fill(name)
    await expect(staff.getByRole('grid', { name: 'Expense classes' })).toContainText(`P${name}`)
  })

  await test.step('a fiscal year; its code is checked', async () => {
    await staff.goto('/staff/finance/years/new/edit')
    await nameField.fill(`Year ${name}`)
    await staff.getByLabel('Code (needed)').fill('no year')
    await staff.getByLabel('From (needed)').fill(`${NOW}-01-01`)
    await staff.getByLabel('To (needed)').fill(`${NOW}-12-31`)
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('main').getByRole('alert')).toContainText('Not saved.')
    await a11y('a year with a wrong code')
    await staff.getByLabel('Code (needed)').fill(code)
    await staff.keyboard.press('Control+s')
    await staff.getByLabel('Name or code').fill(code)
    await expect(staff.getByRole('grid', { name: 'Fiscal years' })).toContainText(`Year ${name}`)
  })
  const { fiscalYears } = await api.get<{ fiscalYears: { id: string; periodEnd: string }[] }>(
    `/finance/fiscal-years?query=code==${code}`,
  )
  const year = fiscalYears[0]
  expect(year?.periodEnd).toMatch(new RegExp(`^${NOW}-12-31T23:59:59`))

  await test.step('a ledger with restrictions', async () => {
    await staff.goto('/staff/finance/ledgers/new/edit')
    await nameField.fill(`Ledger ${name}`)
    await staff.getByLabel('Code (needed)').fill(`L${name}`)
    await staff.getByLabel('First fiscal year (needed)').selectOption(year?.id ?? '')
    await staff.getByRole('checkbox', { name: 'Restrict encumbrances' }).check()
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('heading', { name: `Ledger ${name}` })).toBeVisible()
    await expect(staff.getByText('Restrict encumbrances', { exact: true })).toBeVisible()
    await a11y('a ledger')
  })

  await test.step('a group', async () => {
    await staff.goto('/staff/finance?view=groups')
    await expect(staff.getByRole('heading', { name: 'Finance', level: 1 })).toBeVisible()
    await staff.getByLabel('Name or code').press('Alt+n')
    await expect(staff.getByRole('heading', { name: 'New group' })).toBeVisible()
    await nameField.fill(`Group ${name}`)
    await staff.getByLabel('Code (needed)').fill(`G${name}`)
    await a11y('the form of a group')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('heading', { name: `Group ${name}` })).toBeVisible()
  })

  await test.step('a fund of the type, in the group', async () => {
    await staff.goto('/staff/finance/funds/new/edit')
    await nameField.fill(`Fund ${name}`)
    await staff.getByLabel('Code (needed)').fill(`F${name}`)
    await staff.getByLabel('Ledger (needed)').selectOption({ label: `L${name} · Ledger ${name}` })
    await staff.getByLabel('Fund type').selectOption({ label: `Books ${name}` })
    await staff.getByRole('button', { name: 'Add: Groups' }).click()
    await staff
      .getByLabel('Groups 1', { exact: true })
      .selectOption({ label: `G${name} · Group ${name}` })
    await a11y('the form of a fund')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('heading', { name: `Fund ${name}` })).toBeVisible()
    await expect(staff.getByText(`Books ${name}`)).toBeVisible()
    await expect(staff.getByRole('link', { name: `Group ${name}` })).toBeVisible()
  })

  await test.step('a budget with the expense class', async () => {
    await staff.keyboard.press('Alt+n')
    await staff.getByLabel('Fiscal year (needed)').selectOption(year?.id ?? '')
    await staff.getByLabel('Initial allocation').fill('800')
    await staff.getByRole('button', { name: 'Add: Expense classes' }).click()
    await staff
      .getByLabel('Expense class (needed)')
      .selectOption({ label: `P${name} · Printed ${name}` })
    await a11y('the form of a budget with expense classes')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('heading', { name: `F${name}-${code}` })).toBeVisible()
    await expect(staff.getByRole('grid', { name: 'Expense classes' })).toContainText(
      `Printed ${name}`,
    )
    // Changed again: the status of the class, and the allowance.
    await staff.keyboard.press('Alt+e')
    await staff.getByLabel('Allowable encumbrance (%)').fill('110')
    await staff
      .getByRole('group', { name: 'Expense classes 1' })
      .getByLabel('Status')
      .selectOption('Inactive')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('grid', { name: 'Expense classes' })).toContainText('Inactive')
    await expect(staff.getByText('110 %')).toBeVisible()
    await a11y('a budget with expense classes')
  })

  await test.step('the group has the sums of its funds', async () => {
    await staff.goto('/staff/finance?view=groups')
    await staff.getByLabel('Name or code').fill(`Group ${name}`)
    // The address follows what is typed; a click before that would be undone by it.
    await expect(staff.getByRole('main').getByRole('status')).toHaveText('1 found')
    await staff.getByRole('link', { name: `Group ${name}` }).click()
    await expect(sumOf(staff, 'Available')).toHaveText('$800.00')
    const funds = staff.getByRole('grid', { name: 'Funds' })
    await expect(funds).toContainText(`F${name}`)
    await expect(funds).toContainText('$800.00')
    await expect(staff.getByRole('grid', { name: 'Expense classes' })).toContainText(
      `Printed ${name}`,
    )
    await a11y('a group')
  })
})

test('a fund joins a group and leaves it, and the sums follow', async ({ staff, api, a11y }) => {
  const name = mark()
  const { fund } = await makeBuyer(api, name, 300)
  const group = await api.post<{ id: string }>('/finance/groups', {
    name: `Sciences ${name}`,
    code: `S${name}`,
    status: 'Active',
  })
  await staff.goto(`/staff/finance/groups/${group.id}`)
  await expect(staff.getByRole('heading', { name: `Sciences ${name}` })).toBeVisible()
  await pick(staff, /Fiscal year/, `Year ${name}`)
  await expect(staff.getByText('No funds in this fiscal year').first()).toBeVisible()
  await staff.getByRole('button', { name: 'Add fund' }).click()
  const card = staff.getByRole('form', { name: 'Add fund' })
  await card.getByRole('button', { name: /Fund/ }).click()
  await staff.getByRole('option', { name: new RegExp(fund.code) }).click()
  await card.getByRole('button', { name: /^Add/ }).click()
  await expect(sumOf(staff, 'Available')).toHaveText('$300.00')
  const funds = staff.getByRole('grid', { name: 'Funds' })
  await funds.getByRole('button', { name: `Actions: ${fund.name}` }).click()
  await staff.getByRole('menuitem', { name: 'Take out of the group' }).click()
  await expect(staff.getByText('No funds in this fiscal year').first()).toBeVisible()
  await a11y('a group without funds')
})

test('less, an allocation moved, a transfer; the other budget has what this one gave', async ({
  staff,
  api,
  a11y,
}) => {
  const name = mark()
  const { fund, budget, ledger, year } = await makeBuyer(api, name, 1000)
  const other = await makeBudget(api, { ledger, year }, `B${name}`, 200)
  const move = async (what: string, amount: string, to?: string) => {
    await staff.keyboard.press('Alt+a')
    const card = staff.getByRole('form', { name: 'Move money' })
    await card.getByLabel('Amount').fill(amount)
    await card.getByRole('button', { name: /What/ }).click()
    await staff.getByRole('option', { name: what, exact: true }).click()
    if (to) {
      await card.getByRole('combobox', { name: 'To fund' }).fill(to)
      await staff.getByRole('option', { name: new RegExp(to) }).click()
    }
    await card.getByRole('button', { name: /^Book/ }).click()
    return card
  }
  await staff.goto(`/staff/finance/budgets/${budget.id}`)
  await expect(sumOf(staff, 'Available')).toHaveText('$1,000.00')
  await (await move('Less for this budget', '100.10')).waitFor({ state: 'detached' })
  await expect(sumOf(staff, 'Decreases')).toHaveText('$100.10')
  await (await move('Move the allocation to another fund', '200', other.fund.code)).waitFor({
    state: 'detached',
  })
  await expect(sumOf(staff, 'Decreases')).toHaveText('$300.10')
  await (await move('Transfer to another fund', '50.05', other.fund.code)).waitFor({
    state: 'detached',
  })
  await expect(sumOf(staff, 'Net transfers')).toHaveText('-$50.05')
  await expect(sumOf(staff, 'Available')).toHaveText('$649.85')
  // More than there is.
  const refused = await move('Less for this budget', '5000')
  await expect(refused.getByRole('alert')).toBeVisible()
  await a11y('a movement that was refused')
  await staff.keyboard.press('Escape')
  await staff.goto(`/staff/finance/budgets/${other.budget.id}`)
  await expect(sumOf(staff, 'Increases')).toHaveText('$200.00')
  await expect(sumOf(staff, 'Net transfers')).toHaveText('$50.05')
  await expect(sumOf(staff, 'Available')).toHaveText('$450.05')

  await test.step('a fund that gives to one other only is held to it', async () => {
    const { fund: now, groupIds } = await api.get<{ fund: object; groupIds?: string[] }>(
      `/finance/funds/${fund.id}`,
    )
    await api.put(`/finance/funds/${fund.id}`, {
      fund: { ...now, allocatedToIds: [fund.id] },
      groupIds: groupIds ?? [],
    })
    await staff.goto(`/staff/finance/budgets/${budget.id}`)
    await expect(sumOf(staff, 'Available')).toHaveText('$649.85')
    const held = await move('Transfer to another fund', '1', other.fund.code)
    await expect(held.getByRole('alert')).toContainText(
      'These two funds do not give money to each other.',
    )
    expect(await availableOf(api, budget.id)).toBe(649.85)
  })
})

const availableOf = async (api: { get: <T>(path: string) => Promise<T> }, id: string) =>
  (await api.get<{ available: number }>(`/finance/budgets/${id}`)).available

test('a ledger is rolled over: a preview first, then once, with what could not be done', async ({
  staff,
  api,
  a11y,
  allowed,
}) => {
  // The second rollover of a year.
  allowed.push(/status of 409/)
  test.setTimeout(180_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 1000)
  const { ledger, year, fund } = buyer
  const type = await api.post<{ id: string }>('/finance/fund-types', { name: `Gifts ${name}` })
  const gifts = await makeBudget(api, { ledger, year }, `Z${name}`, 500, type.id)
  const next = await makeNextYear(api, name)
  const open = async (title: string, from: { fund: typeof fund; vendor: { id: string } }) => {
    const made = await makeOrder(api, from, title, 20)
    const order = await api.get<object>(`/orders/composite-orders/${made.id}`)
    await api.put(`/orders/composite-orders/${made.id}`, {
      ...order,
      workflowStatus: 'Open',
      reEncumber: true,
    })
    return made
  }
  const order = await open(`Zeitschrift ${name}`, buyer)
  const failing = await open(`Geschenk ${name}`, { fund: gifts.fund, vendor: buyer.vendor })

  await test.step('the form proposes the years, and asks by type of fund and of order', async () => {
    await staff.goto(`/staff/finance/ledgers/${ledger.id}`)
    await expect(staff.getByRole('heading', { name: `Ledger ${name}`, exact: true })).toBeVisible()
    await staff.keyboard.press('Alt+r')
    await expect(staff.getByRole('heading', { name: `Roll over Ledger ${name}` })).toBeVisible()
    await expect(staff.getByLabel('From fiscal year (needed)')).toHaveValue(year.id)
    await expect(staff.getByLabel('Into fiscal year (needed)')).toHaveValue(next.id)
    const part = (title: string) => staff.getByRole('group', { name: title, exact: true })
    const plain = part('Budgets: funds without a type')
    await plain.getByLabel('Change of the allocation (%)').fill('10')
    await plain.getByLabel('Carried over').selectOption('Available')
    // Gifts get nothing: their orders cannot be encumbered.
    await part(`Budgets: Gifts ${name}`).getByRole('checkbox', { name: 'Allocate again' }).uncheck()
    await staff.getByRole('checkbox', { name: 'Restrict encumbrances' }).check()
    await part('Orders: One-time').getByLabel('More by (%)').fill('5')
    await a11y('the form of a rollover')
    await staff.getByLabel('Into fiscal year (needed)').selectOption(year.id)
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('link', { name: /Into fiscal year|Choose another/ })).toBeVisible()
    await staff.getByLabel('Into fiscal year (needed)').selectOption(next.id)
  })

  await test.step('the preview shows the budgets and what could not be done, and changes nothing', async () => {
    await staff.keyboard.press('Control+s')
    await expect(staff.getByRole('heading', { name: /^Preview / })).toBeVisible()
    const errors = staff.getByRole('grid', { name: 'Not done' })
    await expect(errors).toContainText('Insufficient funds', { timeout: 60_000 })
    await expect(errors).toContainText(gifts.fund.code)
    const made = staff.getByRole('grid', { name: 'Budgets' })
    const row = made.getByRole('row', { name: new RegExp(`${fund.code}-`) })
    // 1000 and 10 %; 960 were available; 40 and 5 % are encumbered again.
    await expect(row).toContainText('$1,100.00')
    await expect(row).toContainText('$42.00')
    await expect(row).toContainText('$2,018.00')
    await a11y('a preview')
    const { budgets } = await api.get<{ budgets: unknown[] }>(
      `/finance/budgets?query=fiscalYearId==${next.id}`,
    )
    expect(budgets).toEqual([])
  })

  await test.step('the rollover has the settings of the preview', async () => {
    await staff.getByRole('button', { name: 'Roll over with these settings' }).click()
    await expect(staff.getByRole('heading', { name: `Roll over Ledger ${name}` })).toBeVisible()
    await expect(staff.getByLabel('Change of the allocation (%)').first()).toHaveValue('10')
    await staff.keyboard.press('Alt+r')
    const card = staff.getByRole('form', { name: `Roll over Ledger ${name}?` })
    await expect(card).toContainText('All old budgets of the ledger are closed')
    // What closes budgets wants more than an Enter.
    await expect(card.getByRole('button', { name: /^Back/ })).toBeFocused()
    await a11y('the question before a rollover')
    await card.getByRole('button', { name: /^Roll over/ }).click()
    await expect(staff.getByRole('heading', { name: /^Rollover / })).toBeVisible()
    await expect(staff.getByRole('grid', { name: 'Not done' })).toContainText(
      'Insufficient funds',
      { timeout: 60_000 },
    )
    await a11y('a rollover')
  })

  await test.step('budgets, encumbrances and lines of the next year are there; the old ones are closed', async () => {
    const { budgets } = await api.get<{
      budgets: { fundId: string; available: number; encumbered: number; budgetStatus: string }[]
    }>(`/finance/budgets?query=fiscalYearId==${next.id}`)
    expect(budgets.find((one) => one.fundId === fund.id)).toMatchObject({
      available: 2018,
      encumbered: 42,
      budgetStatus: 'Active',
    })
    expect(
      (await api.get<{ budgetStatus: string }>(`/finance/budgets/${buyer.budget.id}`)).budgetStatus,
    ).toBe('Closed')
    const lines = (id: string) =>
      api.get<{ compositePoLines: { cost: { fyroAdjustmentAmount?: number } }[] }>(
        `/orders/composite-orders/${id}`,
      )
    await expect
      .poll(async () => (await lines(order.id)).compositePoLines[0]?.cost.fyroAdjustmentAmount)
      .toBe(2)
    expect((await lines(failing.id)).compositePoLines[0]?.cost.fyroAdjustmentAmount ?? 0).toBe(0)
  })

  await test.step('the errors lead to their orders, and are a file', async () => {
    const file = staff.waitForEvent('download')
    await staff.getByRole('button', { name: 'Save as CSV' }).click()
    expect((await file).suggestedFilename()).toMatch(/^rollover-errors-.*\.csv$/)
    await staff
      .getByRole('grid', { name: 'Not done' })
      .getByRole('link', { name: 'Order' })
      .first()
      .click()
    await expect(staff.getByRole('heading', { name: /^Order \d+/ })).toBeVisible()
  })

  await test.step('the ledger lists both; a second rollover is refused', async () => {
    await staff.goto(`/staff/finance/ledgers/${ledger.id}`)
    const log = staff.getByRole('grid', { name: 'Rollovers' })
    await expect(log.getByRole('row')).toHaveCount(3)
    await a11y('a ledger with rollovers')
    await log.getByRole('link', { name: 'Preview' }).click()
    await staff.getByRole('button', { name: 'Roll over with these settings' }).click()
    await expect(staff.getByRole('heading', { name: `Roll over Ledger ${name}` })).toBeVisible()
    await rollOver(staff, name)
    await expect(staff.getByRole('main').getByRole('alert')).toContainText('Not done.')
  })
})

async function rollOver(staff: Page, name: string) {
  await staff.keyboard.press('Alt+r')
  await staff
    .getByRole('form', { name: `Roll over Ledger ${name}?` })
    .getByRole('button', { name: /^Roll over/ })
    .click()
}

test('a ledger whose series has no next year says so, and offers no year of another series', async ({
  staff,
  api,
}) => {
  const name = mark()
  const { ledger } = await makeFund(api, name)
  await staff.goto(`/staff/finance/rollover/${ledger.id}`)
  await expect(staff.getByText(/has no other fiscal year yet/)).toBeVisible()
  await expect(staff.getByLabel('Into fiscal year (needed)').getByRole('option')).toHaveCount(2)
})
