// What a lost item costs is found out: billed to the patron, or let go; and the receipt of what is paid.
import type { Page } from '@playwright/test'
import { type Api, expect, test } from './fixtures'
import { deskId, lend, makeItem, makeOwner, makePatron, type Patron } from './items'
import { catchPrints } from './prints'

async function lost(api: Api, patron: Patron) {
  await makeOwner(api, [])
  const item = await makeItem(api)
  const loanId = await lend(api, item, patron)
  await api.post(`/circulation/loans/${loanId}/declare-item-lost`, {
    servicePointId: await deskId(api, 'Circ Desk 1'),
    declaredLostDateTime: new Date().toISOString(),
  })
  return item
}

async function act(staff: Page, patron: Patron, name: string) {
  await staff
    .getByRole('grid', { name: 'Actual costs' })
    .getByRole('row')
    .filter({ hasText: patron.personal.lastName })
    .getByRole('button', { name: /^Actions/ })
    .click()
  await staff.getByRole('menuitem', { name }).click()
}

test('a cost is billed: the patron owes it, pays it, and gets a receipt', async ({
  staff,
  api,
  a11y,
}) => {
  const prints = await catchPrints(staff)
  const patron = await makePatron(api, `Kosten${Date.now() % 100_000}`)
  await lost(api, patron)
  await staff.goto('/staff/users')
  await staff.getByRole('button', { name: 'Actual costs' }).click()
  await expect(staff.getByRole('heading', { name: 'Actual costs', level: 1 })).toBeVisible()
  await a11y('costs to find out')
  await act(staff, patron, 'Bill the cost')
  const card = staff.getByRole('form', { name: 'Bill the cost of this item' })
  await card.getByRole('button', { name: /^Bill/ }).click()
  await expect(card).toContainText('Type an amount')
  await card.getByLabel('Amount').fill('31,50')
  await card.getByRole('textbox', { name: /^For the patron/ }).fill('New copy')
  await a11y('billing')
  await card.getByRole('button', { name: /^Bill .*31.50/ }).click()
  await expect(staff.getByText(/31.50 billed/).first()).toBeVisible()
  await expect(staff.getByRole('row').filter({ hasText: patron.personal.lastName })).toHaveCount(0)
  await staff.getByRole('radio', { name: 'Billed' }).click()
  await expect(staff.getByRole('row').filter({ hasText: patron.personal.lastName })).toContainText(
    '31.50',
  )

  const { accounts } = await api.get<{
    accounts: { amount: number; ownerId: string; feeFineType: string }[]
  }>(`/accounts?query=userId==${patron.id}`)
  expect(accounts).toMatchObject([{ amount: 31.5 }])
  const method = `Card ${patron.barcode.slice(-6)}`
  await api.post('/payments', { nameMethod: method, ownerId: accounts[0]?.ownerId })
  await staff.goto(`/staff/users/${patron.id}`)
  await staff.getByRole('button', { name: /^Pay .*31/ }).click()
  const pay = staff.getByRole('form', { name: 'Pay a fee' })
  await pay.getByLabel('Amount').fill('10')
  await pay.getByRole('button', { name: /Paid by/ }).click()
  await staff.getByRole('option', { name: method }).click()
  await pay.getByRole('textbox', { name: /receipt or cheque/ }).fill('Z-77')
  await pay.getByRole('button', { name: /^Pay/ }).click()
  await staff.getByRole('button', { name: 'Print the receipt' }).click()
  await expect.poll(async () => (await prints()).length).toBe(1)
  const [receipt = ''] = await prints()
  for (const part of ['Receipt', accounts[0]?.feeFineType, 'Paid in part', '10.00', method, 'Z-77'])
    expect(receipt).toContain(part)
  expect(receipt).toContain('21.50')
  // Receipts are left lying about: no whole card number, no name.
  expect(receipt).not.toContain(patron.barcode)
  expect(receipt).not.toContain(patron.personal.lastName)
})

test('a cost is let go', async ({ staff, api, a11y }) => {
  const patron = await makePatron(api, `Erlass${Date.now() % 100_000}`)
  await lost(api, patron)
  await staff.goto('/staff/users/actual-costs')
  await act(staff, patron, 'Do not bill')
  const card = staff.getByRole('form', { name: 'Do not bill this item?' })
  await card.getByRole('textbox', { name: /^For staff/ }).fill('Was worn out')
  await a11y('letting go')
  await card.getByRole('button', { name: /^Do not bill/ }).click()
  await expect(staff.getByText('Not billed').first()).toBeVisible()
  await staff.goto('/staff/users/actual-costs?status=cancelled')
  await expect(staff.getByRole('row').filter({ hasText: patron.personal.lastName })).toBeVisible()
  const { actualCostRecords } = await api.get<{
    actualCostRecords: { status: string; additionalInfoForStaff?: string }[]
  }>(`/actual-cost-record-storage/actual-cost-records?query=user.id==${patron.id}`)
  expect(actualCostRecords).toMatchObject([
    { status: 'Cancelled', additionalInfoForStaff: 'Was worn out' },
  ])
})
