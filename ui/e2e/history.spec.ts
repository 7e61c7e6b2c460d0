// The versions of a record beside it: what changed, by whom; and the permission that they need.
import { expect, PASSWORD, test } from './fixtures'
import { deskId, makeItem, makePatron, placeOf } from './items'
import { makeBuyer, mark, openOrder } from './money'

interface Stored {
  [property: string]: unknown
}

test('an item: who changed it, from what to what, by the keyboard alone', async ({
  staff,
  api,
  a11y,
}) => {
  const item = await makeItem(api)
  const { instanceId } = await placeOf(api, item)
  const path = `/item-storage/items/${item.id}`
  const change = async (part: Stored) =>
    api.put(path, { ...(await api.get<Stored>(path)), ...part })
  await change({ volume: 'v. 7' })
  await change({ volume: 'v. 8', administrativeNotes: ['rebound'] })
  await staff.goto(`/staff/inventory/${instanceId}/items/${item.id}`)
  await expect(staff.getByRole('heading', { name: item.barcode, level: 1 })).toBeVisible()

  await staff.keyboard.press('Alt+v')
  const pane = staff.getByRole('dialog', { name: 'Version history' })
  await expect(pane).toContainText('3 versions, the latest first')
  await expect(pane).toContainText(item.barcode)
  const versions = pane.getByRole('list').first().getByRole('listitem')
  await expect(versions).toHaveCount(3)
  const latest = versions.first()
  await expect(latest).toContainText('Changed')
  await expect(latest.getByRole('link')).toBeVisible()
  const volume = latest.getByRole('row').filter({ hasText: 'Volume' })
  await expect(volume.getByRole('cell')).toHaveText(['v. 7', 'v. 8'])
  const notes = latest.getByRole('row').filter({ hasText: 'Administrative notes' })
  await expect(notes.getByRole('cell')).toHaveText(['', 'rebound'])
  await expect(versions.last()).toContainText('Created')
  await a11y('versions of an item')
  await staff.keyboard.press('Escape')
  await expect(pane).toBeHidden()

  // Saved meanwhile: there at once.
  await change({ volume: 'v. 9' })
  await staff.getByRole('button', { name: 'Version history' }).click()
  await expect(pane).toContainText('4 versions, the latest first')
  await expect(versions.first().getByRole('cell')).toHaveText(['v. 8', 'v. 9'])
  await staff.keyboard.press('Escape')

  // Who and where are named.
  for (const desk of ['Circ Desk 1', 'Circ Desk 2'])
    await api.post('/circulation/check-in-by-barcode', {
      itemBarcode: item.barcode,
      servicePointId: await deskId(api, desk),
      checkInDate: new Date().toISOString(),
    })
  await staff.getByRole('button', { name: 'Version history' }).click()
  const at = pane.getByRole('row').filter({ hasText: 'Last check-in at' }).first()
  await expect(at).toContainText('Circ Desk 2')
  const by = pane.getByRole('row').filter({ hasText: 'Last check-in by' }).first()
  await expect(by).toBeVisible()
  await expect(by).not.toContainText(/[0-9a-f]{8}-/)
})

test('a long history is read page by page', async ({ staff, api }) => {
  const item = await makeItem(api)
  const { instanceId } = await placeOf(api, item)
  const path = `/item-storage/items/${item.id}`
  for (let at = 1; at <= 14; at += 1)
    await api.put(path, { ...(await api.get<Stored>(path)), volume: `v. ${at}` })
  await staff.goto(`/staff/inventory/${instanceId}/items/${item.id}`)
  await staff.getByRole('button', { name: 'Version history' }).click()
  const pane = staff.getByRole('dialog', { name: 'Version history' })
  await expect(pane).toContainText('15 versions')
  const versions = pane.getByRole('list').first().getByRole('listitem')
  await expect(versions).toHaveCount(10)
  await pane.getByRole('button', { name: 'Show older versions' }).click()
  await expect(versions).toHaveCount(15)
  await expect(versions.last()).toContainText('Created')
  await expect(pane.getByRole('button', { name: 'Show older versions' })).toBeHidden()
})

test('an order, its line and a piece of it', async ({ staff, api, a11y }) => {
  test.setTimeout(180_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const { id, at } = await openOrder(api, buyer, `Möwen ${name}`, 5.5)
  const pane = staff.getByRole('dialog', { name: 'Version history' })
  const versions = pane.getByRole('list').first().getByRole('listitem')

  await staff.goto(`/staff/orders/${id}`)
  await staff.getByRole('button', { name: 'Version history' }).click()
  const opened = versions.filter({ hasText: 'Open' }).first()
  await expect(
    opened.getByRole('row').filter({ hasText: 'Pending' }).first().getByRole('cell'),
  ).toHaveText(['Pending', 'Open'])
  await expect(versions.last()).toContainText('Created')
  await a11y('versions of an order')

  await staff.goto(at)
  await staff.getByRole('button', { name: 'Version history' }).click()
  await expect(versions.filter({ hasText: 'Awaiting receipt' }).first()).toBeVisible()
  await staff.keyboard.press('Escape')
  await expect(pane).toBeHidden()

  const pieces = staff.getByRole('grid', { name: 'Pieces' })
  await pieces
    .getByRole('button', { name: /^Actions:/ })
    .first()
    .click()
  await staff.getByRole('menuitem', { name: 'Version history' }).click()
  await expect(versions.last()).toContainText('Created')
  await a11y('versions of a piece')
})

test('a MARC record: field by field', async ({ staff, api }) => {
  const { instances } = await api.get<{ instances: { id: string }[] }>(
    '/search/instances?limit=1&offset=5&query=source==MARC%20sortby%20title',
  )
  const id = instances[0]?.id ?? ''
  const shown = `/records-editor/records?externalId=${id}`
  const record = await api.get<{
    fields: { tag: string; content: unknown; indicators?: string[] }[]
    parsedRecordId: string
    relatedRecordVersion?: string
  }>(shown)
  const { _version } = await api.get<{ _version: number }>(`/instance-storage/instances/${id}`)
  const words = `Seen ${mark()}`
  await api.put(`/records-editor/records/${record.parsedRecordId}`, {
    ...record,
    relatedRecordVersion: String(_version),
    fields: [
      ...record.fields,
      { tag: '590', content: `$a ${words}`, indicators: ['\\', '\\'], isProtected: false },
    ],
  })
  await staff.goto(`/staff/inventory/${id}/marc`)
  await staff.getByRole('button', { name: 'Version history' }).click()
  const pane = staff.getByRole('dialog', { name: 'Version history' })
  const latest = pane.getByRole('list').first().getByRole('listitem').first()
  await expect(latest.getByRole('row').filter({ hasText: '590' })).toContainText(words)
})

test('who lacks the permission sees which one', async ({ page, api, tenant, allowed }) => {
  // Other parts of the page are not for that person either.
  allowed.push(/status of 403/, /forbidden/)
  test.setTimeout(120_000)
  const item = await makeItem(api)
  const { instanceId } = await placeOf(api, item)
  const { id, username } = (await makePatron(api, 'Regal')) as unknown as {
    id: string
    username: string
  }
  await api.post('/authn/credentials', { userId: id, username, password: PASSWORD })
  await api.post('/perms/users', {
    userId: id,
    permissions: [
      'perms.users.get',
      'users-bl.item.get',
      'inventory.all',
      'inventory-storage.all',
      'circulation.all',
    ],
  })
  const next = encodeURIComponent(`/inventory/${instanceId}/items/${item.id}`)
  await page.goto(`/staff/login?tenant=${tenant}&next=${next}`)
  await page.getByLabel('Name').fill(username)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('button', { name: 'Version history' })).toHaveAccessibleDescription(
    'Needs the permission audit.inventory.item.collection.get',
  )
  await page.keyboard.press('Alt+v')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
