// A user's record as a whole: deleted, sent a link for a password, its loans anonymized or saved as a file.
import { DESK, expect, test } from './fixtures'
import { deskId, lend, makeItem, makePatron } from './items'
import { catchPrints, saved } from './prints'

test('a user is deleted, but not while something is open', async ({
  staff,
  api,
  a11y,
  allowed,
}) => {
  allowed.push(/status of 404/)
  const patron = await makePatron(api, 'Abschied')
  const item = await makeItem(api)
  await lend(api, item, patron)
  await api.post('/manualblocks', {
    type: 'Manual',
    desc: 'Owes a visit',
    userId: patron.id,
    borrowing: true,
  })
  const start = async () => {
    await staff.getByRole('button', { name: 'More', exact: true }).click()
    await staff.getByRole('menuitem', { name: 'Delete the user' }).click()
  }
  await staff.goto(`/staff/users/${patron.id}`)
  await start()
  const note = staff.getByRole('alert').filter({ hasText: 'Not deleted' })
  await expect(note).toContainText('1 loan')
  await expect(note).toContainText('1 block')
  await a11y('something is open')
  await note.getByRole('button', { name: 'Close' }).click()
  await api.post('/circulation/check-in-by-barcode', {
    itemBarcode: item.barcode,
    servicePointId: await deskId(api, DESK),
    checkInDate: new Date().toISOString(),
  })
  const { manualblocks } = await api.get<{ manualblocks: { id: string }[] }>(
    `/manualblocks?query=userId==${patron.id}`,
  )
  for (const { id } of manualblocks) await api.remove(`/manualblocks/${id}`)
  await staff.reload()
  await start()
  const ask = staff.getByRole('alertdialog')
  // The harmless answer has the focus.
  await expect(ask.getByRole('button', { name: 'Keep the record' })).toBeFocused()
  await a11y('the question')
  await staff.keyboard.press('Escape')
  await expect(ask).toHaveCount(0)
  await start()
  await ask.getByRole('button', { name: 'Delete Abschied, Test' }).click()
  await expect(staff.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
  const { users } = await api.get<{ users: unknown[] }>(`/users?query=id==${patron.id}`)
  expect(users).toEqual([])
})

test('a link for a new password is made; who has it sets one, once', async ({
  staff,
  api,
  a11y,
  browser,
  baseURL,
  tenant,
}) => {
  const patron = await makePatron(api, 'Vergesslich')
  await staff.goto(`/staff/users/${patron.id}`)
  await staff.getByRole('button', { name: 'More', exact: true }).click()
  await staff.getByRole('menuitem', { name: 'Link for a new password' }).click()
  const card = staff.getByRole('form', { name: 'Send a link for a new password?' })
  await expect(card).toContainText('t@example.org')
  await a11y('before the link')
  await card.getByRole('button', { name: /^Make the link/ }).click()
  const link = staff.getByRole('textbox', { name: 'Link' })
  await expect(link).toHaveValue(/reset-password\/\S+/)
  await a11y('the link')
  // The patron, in a browser of his own.
  const theirs = await browser.newContext({ baseURL })
  const page = await theirs.newPage()
  await page.goto(await link.inputValue())
  await page.getByLabel('New password').fill('short')
  await page.getByLabel('The same again').fill('other')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('Both must be the same.')).toBeVisible()
  await page.getByLabel('The same again').fill('short')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'It is too short.' })).toBeVisible()
  const password = 'Harbour!7-river'
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('The same again').fill(password)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('The password is set.')).toBeVisible()
  const login = await theirs.request.post('/authn/login', {
    headers: { 'X-Okapi-Tenant': tenant },
    data: { username: `u${patron.barcode}`, password },
  })
  expect(login.status()).toBe(201)
  await page.goto(await link.inputValue())
  await expect(
    page.getByRole('alert').filter({ hasText: 'This link cannot be used.' }),
  ).toBeVisible()
  await theirs.close()
})

test('who has no user name gets no link', async ({ staff, api }) => {
  const patron = await makePatron(api, 'Namenlos')
  const { username: _, ...user } = await api.get<Record<string, unknown>>(`/users/${patron.id}`)
  await api.put(`/users/${patron.id}`, user)
  await staff.goto(`/staff/users/${patron.id}`)
  await staff.getByRole('button', { name: 'More', exact: true }).click()
  const act = staff.getByRole('menuitem', { name: /^Link for a new password/ })
  await expect(act).toHaveAttribute('aria-disabled', 'true')
  await expect(act).toContainText('Needs a user name')
})

test('closed loans are saved as a file, then lose the patron’s name', async ({
  staff,
  api,
  a11y,
}) => {
  const patron = await makePatron(api, 'Vergessen')
  const item = await makeItem(api)
  const loanId = await lend(api, item, patron)
  await api.post('/circulation/check-in-by-barcode', {
    itemBarcode: item.barcode,
    servicePointId: await deskId(api, DESK),
    checkInDate: new Date().toISOString(),
  })
  await staff.goto(`/staff/users/${patron.id}?loans=closed`)
  await expect(staff.getByRole('grid', { name: 'Loans' }).getByRole('row')).toHaveCount(2)
  const { text } = await saved(staff, () =>
    staff.getByRole('button', { name: 'Save as CSV' }).click(),
  )
  expect(text.trim().split('\r\n')).toHaveLength(2)
  expect(text).toContain(item.barcode)
  await staff.getByRole('button', { name: 'Anonymize' }).click()
  const ask = staff.getByRole('alertdialog')
  await expect(ask).toContainText('Nobody can see afterwards')
  await a11y('the question')
  await ask.getByRole('button', { name: 'Anonymize the closed loans' }).click()
  await expect(staff.getByText('No closed loans')).toBeVisible()
  const loan = await api.get<{ userId?: string | null }>(`/loan-storage/loans/${loanId}`)
  expect(loan.userId ?? undefined).toBeUndefined()
})

test('a library card is printed with name and barcode', async ({ staff, api }) => {
  const patron = await makePatron(api, 'Ausweis')
  const prints = await catchPrints(staff)
  await staff.goto(`/staff/users/${patron.id}`)
  await staff.getByRole('button', { name: 'More', exact: true }).click()
  await staff.getByRole('menuitem', { name: 'Print library card' }).click()
  await expect.poll(prints).toHaveLength(1)
  const [card = ''] = await prints()
  expect(card).toContain('Ausweis, Test')
  expect(card).toContain(patron.barcode)
})
