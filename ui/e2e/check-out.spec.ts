// Check-out: patron, items, refusals and overrides in the row.
import { expect, test } from './fixtures'
import { makeItem, makePatron, statusOf } from './items'

test('a card, then items: lent to its owner in one go', async ({ staff, api, scan, a11y }) => {
  const patron = await makePatron(api, 'Lindqvist')
  const [first, second] = [await makeItem(api), await makeItem(api)]
  await staff.goto('/staff/check-in')
  await staff.getByRole('link', { name: 'Check out' }).first().click()
  await expect(staff.getByRole('heading', { name: 'Check out', level: 1 })).toBeVisible()
  await a11y('nobody at the desk')
  await scan(patron.barcode)
  await scan(first.barcode)
  await scan(second.barcode)
  const card = staff.getByRole('complementary', { name: 'Patron' })
  await expect(card).toContainText('Lindqvist, Test')
  for (const { barcode } of [first, second]) {
    await expect(staff.locator('li[data-state="done"]').filter({ hasText: barcode })).toBeVisible()
    expect(await statusOf(api, barcode)).toBe('Checked out')
  }
  await expect(card).toContainText('loans2')
  await a11y('two loans')
})

test('an item that is lent already is refused with its title', async ({
  staff,
  api,
  scan,
  a11y,
}) => {
  const [one, other] = [await makePatron(api, 'Eins'), await makePatron(api, 'Zwei')]
  const item = await makeItem(api)
  await staff.goto(`/staff/check-out?patron=${one.barcode}`)
  await expect(staff.getByRole('complementary', { name: 'Patron' })).toContainText('Eins')
  await scan(item.barcode)
  await expect(staff.locator('li[data-state="done"]')).toHaveCount(1)
  await scan(other.barcode)
  await expect(staff.getByRole('complementary', { name: 'Patron' })).toContainText('Zwei')
  await scan(item.barcode)
  const row = staff.locator('li[data-state="refused"]')
  await expect(row).toContainText('Already lent')
  await expect(row).not.toContainText('Nothing in the catalogue')
  await a11y('a refusal')
})

test('a block is overridden with a comment for the session', async ({ staff, api, scan, a11y }) => {
  const patron = await makePatron(api, 'Gesperrt')
  const item = await makeItem(api)
  await api.post('/manualblocks', {
    type: 'Manual',
    desc: 'Owes a visit',
    userId: patron.id,
    borrowing: true,
    renewals: false,
    requests: false,
  })
  await staff.goto(`/staff/check-out?patron=${patron.barcode}`)
  const card = staff.getByRole('complementary', { name: 'Patron' })
  await expect(card).toContainText('Borrowing blocked')
  await a11y('a block')
  await scan(item.barcode)
  const question = staff.getByRole('region', { name: 'Questions, oldest first' })
  await expect(question).toContainText('This patron may not borrow')
  await a11y('a refusal that may be overridden')
  await question.getByLabel('Comment').fill('pays on Friday')
  await question.getByLabel('Comment').press('Enter')
  await expect(
    staff.locator('li[data-state="done"]').filter({ hasText: item.barcode }),
  ).toBeVisible()
  expect(await statusOf(api, item.barcode)).toBe('Checked out')
})

test('a scan while a comment is typed makes a row and leaves the comment', async ({
  staff,
  api,
  scan,
}) => {
  const patron = await makePatron(api, 'Gesperrt')
  const [one, two] = [await makeItem(api), await makeItem(api)]
  await api.post('/manualblocks', {
    type: 'Manual',
    desc: 'x',
    userId: patron.id,
    borrowing: true,
    renewals: false,
    requests: false,
  })
  await staff.goto(`/staff/check-out?patron=${patron.barcode}`)
  await expect(staff.getByRole('complementary', { name: 'Patron' })).toContainText('Gesperrt')
  await scan(one.barcode)
  const comment = staff
    .getByRole('region', { name: 'Questions, oldest first' })
    .getByLabel('Comment')
  await comment.fill('half a se')
  await staff.waitForTimeout(400)
  await scan(two.barcode)
  await expect(comment).toHaveValue('half a se')
  await expect(staff.getByRole('region', { name: 'Questions, oldest first' })).toContainText(
    two.barcode,
  )
})

test('another due date', async ({ staff, api, scan }) => {
  const patron = await makePatron(api, 'Datum')
  const item = await makeItem(api)
  await staff.goto(`/staff/check-out?patron=${patron.barcode}`)
  await expect(staff.getByRole('complementary', { name: 'Patron' })).toContainText('Datum')
  await scan(item.barcode)
  await expect(staff.locator('li[data-state="done"]')).toHaveCount(1)
  await staff.getByRole('button', { name: /Other date/ }).click()
  await staff.getByLabel(/Due date of/).fill('2027-03-01T18:00')
  await staff.getByRole('button', { name: 'Save date' }).click()
  await expect(staff.locator('li[data-state="done"]')).toContainText('Mon 1 Mar 2027')
  const { loans } = await api.get<{ loans: { dueDate: string }[] }>(
    `/circulation/loans?query=userId==${patron.id}`,
  )
  expect(loans[0]?.dueDate).toContain('2027-03-01T18:00')
})

test('a hostile title is text', async ({ staff, api, scan, a11y }) => {
  const patron = await makePatron(api, '<script>alert(1)</script>')
  const item = await makeItem(api)
  const { items } = await api.get<{ items: { holdingsRecordId: string }[] }>(
    `/item-storage/items?query=barcode==${item.barcode}`,
  )
  const holdings = await api.get<{ instanceId: string }>(
    `/holdings-storage/holdings/${items[0]?.holdingsRecordId}`,
  )
  const path = `/instance-storage/instances/${holdings.instanceId}`
  const instance = await api.get<Record<string, unknown>>(path)
  await api.put(path, {
    ...instance,
    title: `<img src=x onerror=alert(1)> \u202egnol ${'long '.repeat(2000)}`,
  })
  await staff.goto(`/staff/check-out?patron=${patron.barcode}`)
  await expect(staff.getByRole('complementary', { name: 'Patron' })).toContainText('<script>')
  await scan(item.barcode)
  await expect(staff.locator('li[data-state="done"]')).toContainText('<img src=x')
  const wide = await staff.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wide).toBeLessThanOrEqual(0)
  await a11y('a hostile title')
  const now = await api.get<Record<string, unknown>>(path)
  await api.put(path, { ...now, title: instance.title })
})

test('a book that is not in the catalogue is added and lent', async ({
  staff,
  api,
  scan,
  a11y,
}) => {
  const patron = await makePatron(api, 'Neuling')
  const barcode = `995${Date.now()}`
  await staff.goto(`/staff/check-out?patron=${patron.barcode}`)
  await expect(staff.getByRole('complementary', { name: 'Patron' })).toContainText('Neuling')
  await scan(barcode)
  const row = staff.locator('li[data-state="refused"]').filter({ hasText: barcode })
  await expect(row).toContainText('No such barcode')
  await row.getByRole('button').click()
  await staff.getByRole('menuitem', { name: 'Fast add' }).click()
  const form = staff.getByRole('form', { name: 'Fast add' })
  await a11y('fast add')
  await form.getByRole('button', { name: 'Add and lend' }).click()
  await expect(form).toContainText('Type the title.')
  await form.getByLabel('Title').fill('A book from the shelf')
  await form.getByRole('button', { name: 'Add and lend' }).click()
  await expect(staff.locator('li[data-state="done"]').filter({ hasText: barcode })).toContainText(
    'A book from the shelf',
  )
  expect(await statusOf(api, barcode)).toBe('Checked out')
})
