// Reports: overdue loans as a list and a file; the cash drawer of a desk with its sums; what travels.
import { readFile } from 'node:fs/promises'
import { DESK, expect, test } from './fixtures'
import { deskId } from './items'
import { lend, patrons, shelf } from './sample'

test('overdue loans are listed, saved as a file, and lead to their patrons', async ({
  staff,
  api,
  a11y,
}) => {
  const { totalRecords } = await api.get<{ totalRecords: number }>(
    `/circulation/loans?limit=0&query=${encodeURIComponent(`status.name==Open and dueDate<"${new Date().toISOString()}"`)}`,
  )
  await staff.goto('/staff/users')
  await staff.getByRole('grid').first().waitFor()
  await staff.keyboard.press('Alt+r')
  await expect(staff.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible()
  const list = staff.getByRole('grid', { name: 'Overdue loans' })
  await expect(list.getByRole('row').nth(1)).toBeVisible()
  await a11y('overdue loans')
  const saved = staff.waitForEvent('download')
  await staff.getByRole('button', { name: 'Save as CSV' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^overdue-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(totalRecords + 1)
  expect(lines[0]).toContain('Title,Barcode,Patron,Card,Due')
  await list.getByRole('row').nth(1).getByRole('link').first().click()
  await expect(staff).toHaveURL(/\/users\/[0-9a-f-]{36}/)
})

test('what a desk took today adds up, by who took it and how', async ({ staff, api, a11y }) => {
  const desk = await deskId(api, DESK)
  const [patron] = await patrons(api, 1, 40)
  const ownerId = crypto.randomUUID()
  const feeFineId = crypto.randomUUID()
  const owner = `Reports ${Date.now()}`
  await api.post('/owners', { id: ownerId, owner })
  await api.post('/feefines', { id: feeFineId, feeFineType: 'Copying', ownerId })
  const account = async (amount: number, userName = 'Moreau, Camille', at = desk) => {
    const id = crypto.randomUUID()
    await api.post('/accounts', {
      id,
      amount,
      remaining: amount,
      status: { name: 'Open' },
      paymentStatus: { name: 'Outstanding' },
      userId: patron?.id,
      ownerId,
      feeFineId,
      feeFineType: 'Copying',
      feeFineOwner: owner,
    })
    await api.post(`/accounts/${id}/pay`, {
      amount: String(amount),
      servicePointId: at,
      userName,
      paymentMethod: 'Cash',
      notifyPatron: false,
    })
  }
  await account(3.5)
  await account(4)
  await account(2.25, 'Okafor, Ada')
  await account(1.5, 'Okafor, Ada', await deskId(api, 'Circ Desk 2'))
  await staff.goto('/staff/users/reports?of=drawer')
  const rows = staff.getByRole('grid', { name: 'Cash drawer' })
  await expect(rows).toContainText('3.50')
  const sums = staff.getByRole('complementary', { name: 'Sums' })
  await expect(sums.getByRole('table', { name: 'By who took it' })).toContainText('Moreau')
  await expect(sums.getByRole('row', { name: `${owner} 3 9.75` })).toBeVisible()
  await a11y('a cash drawer')
  const takers = staff.getByRole('button', { name: /Taken by/ })
  await expect(takers).toContainText('Everybody')
  await takers.click()
  await staff.getByRole('option', { name: 'Okafor, Ada' }).click()
  await a11y('who took payments')
  await staff.keyboard.press('Escape')
  await expect(sums.getByRole('row', { name: `${owner} 1 2.25` })).toBeVisible()
  await expect(rows).not.toContainText('Moreau')
  await expect(staff).toHaveURL(/takers=/)
  await staff.reload()
  await expect(takers).toContainText('Okafor, Ada')
  await expect(rows).not.toContainText('Moreau')
  await takers.click()
  await staff.getByRole('option', { name: 'Okafor, Ada' }).click()
  await staff.keyboard.press('Escape')
  await expect(rows).toContainText('Moreau')
  await staff.getByLabel('Last day').fill('2020-01-01')
  await expect(staff.getByText('This is before the first day.')).toBeVisible()

  await staff.goto('/staff/users/reports?of=transactions')
  await expect(staff.getByText('Choose what the report is about')).toBeVisible()
  await staff.getByRole('button', { name: /Owner of fees/ }).click()
  await staff.getByRole('option', { name: owner }).click()
  const acts = staff.getByRole('grid', { name: 'Acts on fees' })
  await expect(acts.getByRole('row')).toHaveCount(5)
  await expect(acts).toContainText('Payment')
  await staff.getByRole('button', { name: /^All desks|Desks/ }).click()
  await staff.getByRole('option', { name: 'Circ Desk 2', exact: true }).click()
  await staff.keyboard.press('Escape')
  await expect(acts.getByRole('row')).toHaveCount(2)
  await expect(acts).toContainText('1.50')
  await a11y('acts on fees')
})

test('what is on its way says where to, and a refund has its row', async ({ staff, api, a11y }) => {
  const [item] = await shelf(api, 1, 60)
  const [patron] = await patrons(api, 1, 41)
  if (!item || !patron) throw new Error('too few items or patrons')
  await lend(api, item, patron)
  // One of the two desks is not where it belongs.
  let goesTo: string | undefined
  for (const desk of [DESK, 'Circ Desk 2']) {
    const { item: back } = await api.post<{
      item: { inTransitDestinationServicePoint?: { name: string } }
    }>('/circulation/check-in-by-barcode', {
      itemBarcode: item.barcode,
      servicePointId: await deskId(api, desk),
      checkInDate: new Date().toISOString(),
    })
    goesTo = back.inTransitDestinationServicePoint?.name
    if (goesTo) break
  }
  if (!goesTo) throw new Error('it is at home at both desks')
  await staff.goto('/staff/users/reports?of=transit')
  const row = staff.getByRole('row').filter({ hasText: item.title }).first()
  await expect(row).toContainText(goesTo)
  await a11y('what is on its way')
  await staff.goto('/staff/users/reports?of=refunds&from=2019-01-01&to=2019-01-31')
  await expect(staff.getByText('Nothing to report')).toBeVisible()
})
