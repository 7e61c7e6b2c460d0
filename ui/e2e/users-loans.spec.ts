// The loans of a patron: many renewed at once, a refusal with its reason, the override.
import { expect, test } from './fixtures'
import { deskId, makeItem, makePatron } from './items'

test('loans are renewed many at once; a refusal says why and the others are done', async ({
  staff,
  api,
  a11y,
}) => {
  const patron = await makePatron(api, 'Verlängerer')
  const desk = await deskId(api, 'Circ Desk 1')
  const items = [await makeItem(api), await makeItem(api)]
  for (const item of items) {
    await api.post('/circulation/check-out-by-barcode', {
      itemBarcode: item.barcode,
      userBarcode: patron.barcode,
      servicePointId: desk,
      // Lent some days ago: a renewal changes the due date.
      loanDate: new Date(Date.now() - 5 * 24 * 3600_000).toISOString(),
    })
  }
  // One of them is wanted by somebody: its renewal is refused.
  const other = await makePatron(api, 'Wartend')
  const [wanted] = items
  const { items: found } = await api.get<{
    items: { id: string; holdingsRecordId: string; instanceId?: string }[]
  }>(`/inventory/items?query=barcode==${wanted?.barcode}`)
  const holdings = await api.get<{ instanceId: string }>(
    `/holdings-storage/holdings/${found[0]?.holdingsRecordId}`,
  )
  await api.post('/circulation/requests', {
    requestLevel: 'Item',
    requestType: 'Recall',
    instanceId: holdings.instanceId,
    holdingsRecordId: found[0]?.holdingsRecordId,
    itemId: found[0]?.id,
    requesterId: other.id,
    requestDate: new Date().toISOString(),
    fulfillmentPreference: 'Hold Shelf',
    pickupServicePointId: desk,
  })
  await staff.goto(`/staff/users/${patron.id}`)
  await expect(staff.getByRole('heading', { name: /Verlängerer/, level: 1 })).toBeVisible()
  const loans = staff.getByRole('grid', { name: 'Loans' })
  await expect(loans.getByRole('row')).toHaveCount(3)
  await a11y('open loans')
  await staff.getByRole('checkbox', { name: 'Select all rows shown' }).first().check()
  await expect(staff.getByText('2 of 2 selected')).toBeVisible()
  await a11y('loans selected')
  await staff.getByRole('button', { name: /^Renew/ }).click()
  const card = staff.getByRole('form', { name: 'One loan was not renewed' })
  await expect(card).toContainText('It is recalled for somebody.')
  await expect(loans.getByText(/^Renewed, due/)).toHaveCount(1)
  await expect(loans.getByText('Not renewed')).toHaveCount(1)
  await a11y('a refused renewal')
  const { loans: after } = await api.get<{
    loans: { renewalCount?: number; item: { barcode: string } }[]
  }>(`/circulation/loans?query=userId==${patron.id}`)
  const countOf = (barcode: string | undefined) =>
    after.find((loan) => loan.item.barcode === barcode)?.renewalCount ?? 0
  expect(countOf(items[1]?.barcode)).toBe(1)
  expect(countOf(wanted?.barcode)).toBe(0)
})

test('another due date, and the loan’s history names it', async ({ staff, api, a11y }) => {
  const patron = await makePatron(api, 'Fristig')
  const item = await makeItem(api)
  await api.post('/circulation/check-out-by-barcode', {
    itemBarcode: item.barcode,
    userBarcode: patron.barcode,
    servicePointId: await deskId(api, 'Circ Desk 1'),
  })
  await staff.goto(`/staff/users/${patron.id}`)
  await staff.getByRole('checkbox', { name: /^Select: / }).check()
  await staff.getByRole('button', { name: 'Due date', exact: true }).click()
  await staff.getByLabel('New due date').fill('2099-03-01T18:00')
  await staff.getByRole('button', { name: 'Save date' }).click()
  await expect(staff.getByRole('grid', { name: 'Loans' })).toContainText('Sun 1 Mar 2099')
  await staff.getByRole('grid', { name: 'Loans' }).getByRole('link').first().click()
  await expect(staff.getByRole('grid', { name: 'History' })).toContainText('Sun 1 Mar 2099')
  await a11y('a loan')
})

test('a record is changed; a taken barcode is a fault of its field; a conflict shows both', async ({
  staff,
  api,
  a11y,
}) => {
  const patron = await makePatron(api, 'Änderung')
  const taken = await makePatron(api, 'Inhaber')
  await staff.goto(`/staff/users/${patron.id}/edit`)
  await staff.getByRole('textbox', { name: 'Barcode' }).fill(taken.barcode)
  await a11y('the form')
  await staff.getByRole('button', { name: /^Save/ }).click()
  const barcode = staff.getByRole('textbox', { name: 'Barcode' })
  await expect(barcode).toHaveAttribute('aria-invalid', 'true')
  await a11y('a fault')
  await barcode.fill(patron.barcode)
  await staff.getByLabel('Last name').fill('Meins')
  // Somebody else saves meanwhile.
  const now = await api.get<Record<string, unknown> & { personal: object }>(`/users/${patron.id}`)
  await api.put(`/users/${patron.id}`, {
    ...now,
    personal: { ...now.personal, lastName: 'Ihres', firstName: 'Andere' },
  })
  await staff.getByRole('button', { name: /^Save/ }).click()
  const conflict = staff.getByRole('region', { name: /Somebody else changed/ })
  await expect(conflict).toContainText('Meins')
  await expect(conflict).toContainText('Ihres')
  await a11y('both versions')
  await staff.getByRole('button', { name: 'Save these versions' }).click()
  await expect(staff.getByRole('heading', { name: 'Meins, Andere', level: 1 })).toBeVisible()
})
