// What is done with loans beside a plain renewal: the override, claims, losses, missing items, information.
import type { Page } from '@playwright/test'
import { type Api, expect, test } from './fixtures'
import { lend, makeItem, makeOwner, makePatron, makeRequest, statusOf } from './items'

interface Loan {
  action: string
  actionComment?: string
  renewalCount?: number
  status: { name: string }
  item: { barcode: string }
}

const loansOf = async (api: Api, userId: string) =>
  (await api.get<{ loans: Loan[] }>(`/circulation/loans?query=userId==${userId}`)).loans

const DAYS_MS = 24 * 3600_000

async function openUser(staff: Page, id: string) {
  await staff.goto(`/staff/users/${id}`)
  const loans = staff.getByRole('grid', { name: 'Loans' })
  await expect(loans).toBeVisible()
  return loans
}

test('a refused renewal is renewed all the same, by keyboard alone, with a comment', async ({
  staff,
  api,
  a11y,
}) => {
  const patron = await makePatron(api, 'Trotzdem')
  const item = await makeItem(api)
  await lend(api, item, patron, new Date(Date.now() - 5 * DAYS_MS))
  await makeRequest(api, item, await makePatron(api, 'Wartend'), 'Recall')
  const loans = await openUser(staff, patron.id)
  await loans.getByRole('row').nth(1).focus()
  await staff.keyboard.press('Space')
  await expect(staff.getByText('1 of 1 selected')).toBeVisible()
  await staff.keyboard.press('r')
  const card = staff.getByRole('form', { name: 'One loan was not renewed' })
  await expect(card).toContainText('It is recalled for somebody.')
  await expect(card.getByRole('textbox', { name: /^Comment/ })).toBeFocused()
  await staff.keyboard.press('Enter')
  await expect(card).toContainText('Type why.')
  await a11y('an override without its comment')
  await staff.keyboard.type('Needed for a class')
  await staff.keyboard.press('Enter')
  await expect(loans.getByText(/^Renewed, due/)).toBeVisible()
  await expect(card).toHaveCount(0)
  const [loan] = await loansOf(api, patron.id)
  expect(loan?.renewalCount).toBe(1)
  expect(loan?.action).toBe('renewedThroughOverride')
  expect(loan?.actionComment).toBe('Needed for a class')
})

test('two are claimed returned at once; one of them is missing, and its loan ends', async ({
  staff,
  api,
  a11y,
}) => {
  const patron = await makePatron(api, 'Behauptet')
  const items = [await makeItem(api), await makeItem(api)]
  for (const item of items) await lend(api, item, patron)
  const loans = await openUser(staff, patron.id)
  await staff.getByRole('checkbox', { name: 'Select all rows shown' }).first().check()
  await staff.getByRole('button', { name: 'Claim returned', exact: true }).click()
  const claim = staff.getByRole('form', { name: 'Claim 2 loans returned' })
  await claim.getByRole('textbox', { name: /^Comment/ }).fill('Says it was Tuesday')
  await a11y('claiming')
  await claim.getByRole('button', { name: /^Claim 2 returned/ }).click()
  await expect(loans.getByText('Claimed returned', { exact: true })).toHaveCount(2)
  for (const item of items) expect(await statusOf(api, item.barcode)).toBe('Claimed returned')

  const [missing] = items
  const row = loans.getByRole('row').filter({ hasText: missing?.barcode })
  await row.focus()
  await staff.keyboard.press('Shift+F10')
  const menu = staff.getByRole('menu')
  await expect(menu.getByRole('menuitem', { name: /^Claim returned/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await a11y('the acts of a loan')
  await menu.getByRole('menuitem', { name: /^Mark as missing/ }).click()
  const card = staff.getByRole('form', { name: 'Mark this item as missing?' })
  await card.getByRole('button', { name: /^Mark as missing/ }).click()
  await expect(card).toContainText('Type why.')
  await card.getByRole('textbox', { name: /^Comment/ }).fill('Not on the shelf')
  await staff.keyboard.press('Enter')
  await expect(loans.getByRole('row')).toHaveCount(2)
  expect(await statusOf(api, missing?.barcode ?? '')).toBe('Missing')
  const after = await loansOf(api, patron.id)
  const ended = after.find((one) => one.status.name === 'Closed')
  expect(ended?.action).toBe('markedMissing')
  expect(ended?.actionComment).toBe('Not on the shelf')
})

test('two items are declared lost at once', async ({ staff, api, a11y }) => {
  await makeOwner(api, [])
  const patron = await makePatron(api, 'Verloren')
  const items = [await makeItem(api), await makeItem(api)]
  for (const item of items) await lend(api, item, patron)
  const loans = await openUser(staff, patron.id)
  await staff.getByRole('checkbox', { name: 'Select all rows shown' }).first().check()
  await staff.getByRole('button', { name: 'Declare lost', exact: true }).click()
  const card = staff.getByRole('form', { name: 'Declare 2 items lost?' })
  await card.getByRole('textbox', { name: /^Comment/ }).fill('Left in the tram')
  await a11y('declaring lost')
  await card.getByRole('button', { name: /^Declare 2 lost/ }).click()
  await expect(loans.getByText('Declared lost', { exact: true })).toHaveCount(2)
  for (const item of items) expect(await statusOf(api, item.barcode)).toBe('Declared lost')
  const after = await loansOf(api, patron.id)
  expect(after.map((one) => one.actionComment)).toEqual(['Left in the tram', 'Left in the tram'])
})

test('information for the patron and for staff stands in the history', async ({
  staff,
  api,
  a11y,
}) => {
  const patron = await makePatron(api, 'Hinweis')
  const item = await makeItem(api)
  await lend(api, item, patron)
  const loans = await openUser(staff, patron.id)
  const add = async (forWhom: string, text: string) => {
    await loans.getByRole('row').nth(1).focus()
    await staff.keyboard.press('Shift+F10')
    await staff.getByRole('menuitem', { name: 'Add information' }).click()
    const card = staff.getByRole('form', { name: 'Add information' })
    await card.getByRole('radio', { name: forWhom }).check()
    await card.getByRole('textbox', { name: /^Information/ }).fill(text)
    await a11y(`information: ${forWhom}`)
    await card.getByRole('button', { name: /^Add it/ }).click()
    await expect(card).toHaveCount(0)
  }
  await add('For staff', 'Cover is torn')
  await add('For the patron', 'Please mind the cover')
  await loans.getByRole('row').nth(1).focus()
  await staff.keyboard.press('Enter')
  const history = staff.getByRole('grid', { name: 'History' })
  await expect(history).toContainText('Cover is torn')
  await expect(history.getByRole('row').nth(1)).toContainText('Information for the patron')
  await expect(history.getByRole('row').nth(1)).toContainText('Please mind the cover')
  await a11y('the history')
})
