// The inventory: search and back, browse, record; a form that meets another's change.
import { expect, test } from './fixtures'
import { makeItem } from './items'

interface Instance {
  id: string
  title: string
  _version: number
}

test('what the page asks for before the client is here is asked for once', async ({ staff }) => {
  const asked: string[] = []
  staff.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (!pathname.startsWith('/staff/')) asked.push(pathname + search)
  })
  await staff.goto('/staff/inventory')
  await expect(staff.getByRole('row').nth(2)).toBeVisible()
  // An answer that nobody took was asked for by another address than the client's.
  const left = await staff.evaluate(() => {
    const { octavoEarly = {} } = window as { octavoEarly?: Record<string, unknown> }
    return Object.keys(octavoEarly).filter((path) => octavoEarly[path])
  })
  // What the installation can do is for the desk, which takes it when it is opened.
  expect(left.filter((path) => path !== '/staff/installation.json')).toEqual([])
  const twice = asked.filter((path, at) => asked.indexOf(path) !== at)
  expect(twice).toEqual([])
  expect(asked.filter((path) => path.startsWith('/perms/users/'))).toHaveLength(1)
})

test('rows come while typing, a facet narrows them, back from a record keeps all of it', async ({
  staff,
  api,
  a11y,
}) => {
  const found = await api.get<{ totalRecords: number }>(
    '/search/instances?limit=0&query=keyword%20all%20%22the*%22',
  )
  await staff.goto('/staff/inventory')
  await expect(staff.getByRole('heading', { name: 'Inventory', level: 1 })).toBeVisible()
  const words = staff.getByRole('searchbox', { name: 'Search words' })
  await words.click()
  await staff.keyboard.type('the', { delay: 30 })
  await expect(staff.locator('main').getByRole('status').first()).toContainText(
    String(found.totalRecords),
  )
  await expect(staff).toHaveURL(/q=the/)
  await a11y('search')

  const languages = staff.getByRole('region', { name: 'Language' })
  const english = languages.getByRole('checkbox', { name: /English/ })
  // The address holds the state, so it changes a moment after the click.
  await english.click()
  await expect(english).toBeChecked()
  await expect(staff).toHaveURL(/languages/)
  const narrowed = await api.get<{ totalRecords: number }>(
    '/search/instances?limit=0&query=keyword%20all%20%22the*%22%20and%20languages%3D%3D%22eng%22',
  )
  expect(narrowed.totalRecords).toBeLessThan(found.totalRecords)
  await expect(staff.locator('main').getByRole('status').first()).toContainText(
    String(narrowed.totalRecords),
  )

  const grid = staff.getByRole('grid', { name: 'Results' })
  // The rows come a moment after their number.
  await expect(grid).toHaveAttribute('aria-rowcount', String(narrowed.totalRecords + 1))
  const rows = grid.locator('tr[data-key]')
  const third = await rows.nth(2).getByRole('link').textContent()
  await rows.first().focus()
  await staff.keyboard.press('ArrowDown')
  await staff.keyboard.press('ArrowDown')
  await expect(rows.nth(2)).toBeFocused()
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('heading', { name: third ?? '', level: 1 })).toBeVisible()
  await expect(staff.getByRole('navigation', { name: 'Parts of the record' })).toBeVisible()
  await a11y('instance')
  await staff.goBack()
  await expect(words).toHaveValue('the')
  await expect(english).toBeChecked()
  await expect(rows.nth(2)).toContainText(third ?? '')
})

test('the end of a long list is reached, and the way back leads to the same rows', async ({
  staff,
  api,
}) => {
  const all = await api.get<{ totalRecords: number }>(
    '/search/instances?limit=0&query=cql.allRecords=1',
  )
  expect(all.totalRecords).toBeGreaterThan(100)
  await staff.goto('/staff/inventory')
  const grid = staff.getByRole('grid', { name: 'Results' })
  await expect(grid).toHaveAttribute('aria-rowcount', String(all.totalRecords + 1))
  await grid.locator('tr[data-key]').first().focus()
  await staff.keyboard.press('End')
  const last = grid.locator(`tr[data-key][data-index="${all.totalRecords - 1}"]`)
  await expect(last).toBeFocused()
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('navigation', { name: 'Parts of the record' })).toBeVisible()
  await staff.goBack()
  await expect(last).toBeVisible()
})

test('columns are chosen and stay chosen', async ({ staff, a11y }) => {
  await staff.goto('/staff/inventory')
  await staff.getByRole('button', { name: 'Columns' }).click()
  const dialog = staff.getByRole('dialog', { name: 'Columns' })
  await dialog.getByRole('checkbox', { name: 'HRID' }).check()
  await dialog.getByRole('checkbox', { name: 'HRID' }).focus()
  await staff.keyboard.press('Alt+ArrowUp')
  await a11y('columns')
  await dialog.getByRole('button', { name: 'Close' }).click()
  const heads = staff.getByRole('grid', { name: 'Results' }).getByRole('columnheader')
  await expect(heads.filter({ hasText: 'HRID' })).toBeVisible()
  await staff.reload()
  await expect(heads.filter({ hasText: 'HRID' })).toBeVisible()
  const names = await heads.allTextContents()
  expect(names.indexOf('HRID')).toBeLessThan(names.indexOf('Year'))
  await staff.getByRole('button', { name: 'Advanced' }).click()
  await staff.getByRole('textbox', { name: 'Words of condition 1' }).fill('the')
  await staff.getByRole('combobox', { name: 'Join of condition 2' }).selectOption('not')
  await staff.getByRole('textbox', { name: 'Words of condition 2' }).fill('a')
  await staff.keyboard.press('Enter')
  await expect(staff).toHaveURL(/lines=/)
  await a11y('conditions')
})

test('a hostile title stays text, and does not widen the page', async ({ staff, api, a11y }) => {
  const { instanceTypes } = await api.get<{ instanceTypes: { id: string }[] }>(
    '/instance-types?limit=1',
  )
  const mark = `Zq${Date.now()}`
  const id = crypto.randomUUID()
  const title = `${mark} <script>alert(1)</script> \u202Eright ${'long '.repeat(1500)}`
  const instanceTypeId = instanceTypes[0]?.id
  await api.post('/instance-storage/instances', { id, source: 'FOLIO', title, instanceTypeId })
  await staff.goto(`/staff/inventory?q=${mark}`)
  const link = staff.getByRole('grid', { name: 'Results' }).getByRole('link').first()
  await expect(link).toContainText('<script>alert(1)</script>')
  await a11y('hostile title')
  await link.click()
  await expect(staff.getByRole('heading', { level: 1 })).toContainText('<script>')
  const wide = await staff.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(wide).toBe(false)
  await api.remove(`/instance-storage/instances/${id}`)
})

test('a list of headings is entered anywhere; a heading leads to its titles', async ({
  staff,
  a11y,
}) => {
  await staff.goto('/staff/inventory/browse')
  // Without a value the list begins at its beginning.
  await expect(
    staff.getByRole('grid', { name: 'Contributors' }).locator('tr[data-key]').first(),
  ).toContainText(/^A/)
  await staff.getByRole('combobox', { name: 'List' }).selectOption('subjects')
  await staff.getByRole('textbox', { name: 'Begin at' }).fill('mmmm')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText('would be here')).toBeVisible()
  await a11y('browse')
  const grid = staff.getByRole('grid', { name: 'Subjects' })
  const row = grid.locator('tr[data-key]').filter({ hasNotText: 'would be here' }).last()
  const subject = await row.locator('bdi').first().textContent()
  await row.click()
  await expect(staff).toHaveURL(/inventory\?lines/)
  await expect(staff.getByRole('button', { name: `Remove: ${subject}` })).toBeVisible()
  await expect(
    staff.getByRole('grid', { name: 'Results' }).locator('tr[data-key]'),
  ).not.toHaveCount(0)
})

test('an item is marked as missing, and deleted after a question', async ({ staff, api, a11y }) => {
  const item = await makeItem(api)
  const { items } = await api.get<{ items: { id: string; holdingsRecordId: string }[] }>(
    `/inventory/items?query=barcode==${item.barcode}`,
  )
  const holdings = await api.get<{ instanceId: string }>(
    `/holdings-storage/holdings/${items[0]?.holdingsRecordId}`,
  )
  await staff.goto(`/staff/inventory/${holdings.instanceId}/items/${item.id}`)
  await expect(staff.getByRole('heading', { name: item.barcode, level: 1 })).toBeVisible()
  await a11y('item')
  await staff.getByRole('button', { name: 'More actions' }).click()
  await staff.getByRole('menuitem', { name: 'Mark as: Missing', exact: true }).click()
  await expect(staff.locator('main').getByText('Missing', { exact: true }).first()).toBeVisible()
  const after = await api.get<{ status: { name: string } }>(`/item-storage/items/${item.id}`)
  expect(after.status.name).toBe('Missing')
  await staff.getByRole('button', { name: 'More actions' }).click()
  await staff.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = staff.getByRole('alertdialog')
  await expect(dialog).toContainText(item.barcode)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(staff.getByRole('navigation', { name: 'Parts of the record' })).toBeVisible()
  const gone = await api.get<{ totalRecords: number }>(
    `/item-storage/items?query=barcode==${item.barcode}`,
  )
  expect(gone.totalRecords).toBe(0)
})

test('two people change one title: both versions are shown, nothing is lost', async ({
  staff,
  api,
  a11y,
  allowed,
}) => {
  allowed.push(/status of 409/)
  const { instanceTypes } = await api.get<{ instanceTypes: { id: string }[] }>(
    '/instance-types?limit=1',
  )
  const id = crypto.randomUUID()
  const title = `Conflict ${Date.now()}`
  await api.post('/instance-storage/instances', {
    id,
    source: 'FOLIO',
    title,
    instanceTypeId: instanceTypes[0]?.id,
  })
  await staff.goto(`/staff/inventory/${id}/edit`)
  const name = staff.getByRole('textbox', { name: /^Title/ }).first()
  await name.fill(`${title}, mine`)
  await a11y('instance form')

  const other = await api.get<Instance>(`/instance-storage/instances/${id}`)
  await api.put(`/instance-storage/instances/${id}`, {
    ...other,
    title: `${title}, theirs`,
    editions: ['2nd'],
  })

  await staff.keyboard.press('Control+s')
  const conflict = staff.getByRole('region', { name: /Somebody else changed this record/ })
  await expect(conflict).toContainText(`${title}, mine`)
  await expect(conflict).toContainText(`${title}, theirs`)
  await a11y('conflict')
  await conflict.getByRole('button', { name: 'Save these versions' }).click()
  await expect(staff.getByRole('heading', { name: `${title}, mine`, level: 1 })).toBeVisible()
  const stored = await api.get<Instance & { editions: string[] }>(
    `/instance-storage/instances/${id}`,
  )
  expect(stored.title).toBe(`${title}, mine`)
  expect(stored.editions).toEqual(['2nd'])
  await api.remove(`/instance-storage/instances/${id}`)
})

test('a new title needs what FOLIO needs, and leaving with changes is asked', async ({
  staff,
  a11y,
}) => {
  await staff.goto('/staff/inventory/new')
  await expect(staff.getByRole('heading', { name: 'New instance', level: 1 })).toBeVisible()
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('form').getByRole('alert')).toContainText('Not saved.')
  await expect(staff.getByRole('link', { name: 'Title is needed.' })).toBeVisible()
  await a11y('faults')
  await staff
    .getByRole('textbox', { name: /^Title/ })
    .first()
    .fill('Left behind')
  await staff.getByRole('link', { name: 'Inventory', exact: true }).last().click()
  await expect(staff.getByText('There are changes that are not saved.')).toBeVisible()
  await staff.getByRole('button', { name: 'Stay here' }).click()
  await expect(staff.getByRole('textbox', { name: /^Title/ }).first()).toHaveValue('Left behind')
})

test('the search box leads from a barcode to the item, from words to all titles', async ({
  staff,
  api,
}) => {
  const item = await makeItem(api)
  await staff.goto('/staff/check-in')
  await expect(staff.getByRole('heading', { name: 'Check in', level: 1 })).toBeVisible()
  await staff.keyboard.press('Control+k')
  await staff.keyboard.type(item.barcode, { delay: 20 })
  await staff.getByRole('option').filter({ hasText: 'Available' }).first().click()
  await expect(staff.getByRole('heading', { name: item.barcode, level: 1 })).toBeVisible()
  await staff.keyboard.press('Control+k')
  await staff.keyboard.type('the art of', { delay: 20 })
  await staff.getByRole('option', { name: 'Search the inventory for “the art of”' }).click()
  await expect(staff).toHaveURL(/inventory\?q=the/)
  await expect(staff.getByRole('searchbox', { name: 'Search words' })).toHaveValue('the art of')
})

test('holdings with items are not deleted, and the server’s reason is told', async ({
  staff,
  api,
  a11y,
}) => {
  const { id } = await makeItem(api)
  const { holdingsRecordId } = await api.get<{ holdingsRecordId: string }>(
    `/item-storage/items/${id}`,
  )
  const { instanceId } = await api.get<{ instanceId: string }>(
    `/holdings-storage/holdings/${holdingsRecordId}`,
  )
  await staff.goto(`/staff/inventory/${instanceId}`)
  const part = staff
    .getByRole('region')
    .filter({ has: staff.getByRole('grid') })
    .first()
  await part
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click()
  await staff.getByRole('menuitem', { name: 'Delete' }).click()
  await staff.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const dialog = staff.getByRole('dialog', { name: 'Not done' })
  await expect(dialog).toContainText(/referenced|item/i)
  await a11y('not deleted')
  await api.get(`/holdings-storage/holdings/${holdingsRecordId}`)
})

test('selected items are moved to other holdings of the title by keyboard', async ({
  staff,
  api,
}) => {
  const item = await makeItem(api)
  const stored = await api.get<{ holdingsRecordId: string }>(`/item-storage/items/${item.id}`)
  const old = await api.get<{ instanceId: string; permanentLocationId: string; sourceId: string }>(
    `/holdings-storage/holdings/${stored.holdingsRecordId}`,
  )
  const { locations } = await api.get<{ locations: { id: string; name: string }[] }>(
    '/locations?limit=20',
  )
  const place = locations.find((one) => one.id !== old.permanentLocationId)
  const other = await api.post<{ id: string }>('/holdings-storage/holdings', {
    instanceId: old.instanceId,
    sourceId: old.sourceId,
    permanentLocationId: place?.id,
  })
  await staff.goto(`/staff/inventory/${old.instanceId}`)
  const row = staff.locator('tr[data-key]').filter({ hasText: item.barcode })
  await row.focus()
  await staff.keyboard.press('Space')
  await expect(row).toHaveAttribute('aria-selected', 'true')
  await staff.getByRole('button', { name: 'Move to' }).click()
  await staff
    .getByRole('menuitem', { name: new RegExp(place?.name ?? '') })
    .last()
    .click()
  await expect
    .poll(async () => {
      const now = await api.get<{ holdingsRecordId: string }>(`/item-storage/items/${item.id}`)
      return now.holdingsRecordId
    })
    .toBe(other.id)
  await api.remove(`/item-storage/items/${item.id}`)
  await api.remove(`/holdings-storage/holdings/${other.id}`)
})
