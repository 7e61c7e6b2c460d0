// What becomes of orders after they are made, and what a line of one can have.
import type { Page } from '@playwright/test'
import { type Api, expect, test } from './fixtures'
import { makeBuyer, makeOrder, mark, openOrder } from './money'
import { catchPrints } from './prints'

interface Line {
  paymentStatus: string
  receiptStatus: string
  instanceId?: string
  cost: { quantityPhysical: number; poLineEstimatedPrice: number }
  locations: { locationId?: string; holdingId?: string }[]
}
interface Order {
  workflowStatus: string
  closeReason?: { reason: string; note?: string }
  poNumber: string
  needReEncumber?: boolean
}
interface Piece {
  id: string
  receivingStatus: string
  displaySummary?: string
  itemId?: string
}

const orderOf = (api: Api, id: string) => api.get<Order>(`/orders/composite-orders/${id}`)
const lineOf = (api: Api, id: string) => api.get<Line>(`/orders/order-lines/${id}`)
const piecesOf = async (api: Api, line: string) =>
  (await api.get<{ pieces: Piece[] }>(`/orders/pieces?query=poLineId==${line}&limit=50`)).pieces
const encumbered = async (api: Api, budget: string) =>
  (await api.get<{ encumbered: number }>(`/finance/budgets/${budget}`)).encumbered

async function more(page: Page, act: RegExp, of: string | RegExp = 'More acts') {
  await page
    .getByRole('button', { name: of, exact: typeof of === 'string' })
    .first()
    .click()
  await page.getByRole('menuitem', { name: act }).click()
}

async function choose(page: Page, field: string, words: string, option: RegExp) {
  await page.getByRole('combobox', { name: field }).fill(words)
  await page.getByRole('option', { name: option }).first().click()
}

/** The material type of books, and items for each copy. */
async function withItems(api: Api) {
  const { mtypes } = await api.get<{ mtypes: { id: string }[] }>(
    '/material-types?query=name==book&limit=1',
  )
  return {
    physical: {
      createInventory: 'Instance, Holding, Item',
      materialType: mtypes[0]?.id,
      volumes: [],
    },
  }
}

test('an order is closed, reopened, taken back and deleted, and its money follows', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(180_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const { id, line } = await openOrder(api, buyer, `Möwen ${name}`, 5.5)
  expect(await encumbered(api, buyer.budget.id)).toBe(11)
  await staff.goto(`/staff/orders/${id}`)
  await expect(staff.getByRole('heading', { name: /^Order \d+/ })).toBeVisible()

  await more(staff, /^Close order/)
  const close = staff.getByRole('form', { name: 'Close the order?' })
  await close.getByRole('button', { name: /^Close/ }).click()
  await expect(close).toContainText('Choose a reason.')
  await close.getByRole('button', { name: /Reason for closing/ }).click()
  await staff.getByRole('option', { name: 'Duplication' }).click()
  await close.getByLabel('Note').fill('twice')
  await a11y('closing an order')
  await staff.keyboard.press('Enter')
  await expect(close).toBeHidden()
  await expect(staff.getByText('Duplication')).toBeVisible()
  expect(await orderOf(api, id)).toMatchObject({
    workflowStatus: 'Closed',
    closeReason: { reason: 'Duplication', note: 'twice' },
  })
  expect(await encumbered(api, buyer.budget.id)).toBe(0)

  await more(staff, /^Reopen order/)
  const reopen = staff.getByRole('form', { name: 'Reopen the order?' })
  await expect(reopen.getByRole('button', { name: /^Reopen/ })).toBeFocused()
  await staff.keyboard.press('Enter')
  await expect(reopen).toBeHidden()
  expect((await orderOf(api, id)).workflowStatus).toBe('Open')
  expect(await encumbered(api, buyer.budget.id)).toBe(11)

  expect(await piecesOf(api, line)).toHaveLength(2)
  const { holdingId } = (await lineOf(api, line)).locations[0] ?? {}
  expect(holdingId).toBeTruthy()
  await more(staff, /^Take order back/)
  const back = staff.getByRole('form', { name: 'Take the order back?' })
  await expect(back.getByRole('radio', { name: /^Keep the holdings/ })).toBeChecked()
  await back.getByRole('radio', { name: /^Delete the holdings/ }).check()
  await a11y('taking an order back')
  await staff.keyboard.press('Enter')
  await expect(back).toBeHidden()
  expect((await orderOf(api, id)).workflowStatus).toBe('Pending')
  expect(await piecesOf(api, line)).toHaveLength(0)
  expect((await lineOf(api, line)).locations[0]).toMatchObject({ locationId: expect.any(String) })
  expect(await encumbered(api, buyer.budget.id)).toBe(0)

  await more(staff, /^Delete order/)
  const remove = staff.getByRole('form', { name: 'Delete the order?' })
  await expect(remove.getByRole('button', { name: /^Back/ })).toBeFocused()
  await remove.getByRole('button', { name: /^Delete/ }).click()
  await expect(staff.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible()
  await expect(orderOf(api, id)).rejects.toThrow(/^Error: 404|404/)
})

test('an order taken back keeps its holdings where they are to be kept', async ({ staff, api }) => {
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const { id, line } = await openOrder(api, buyer, `Seeschwalben ${name}`, 5.5)
  const before = (await lineOf(api, line)).locations[0]?.holdingId
  await staff.goto(`/staff/orders/${id}`)
  await more(staff, /^Take order back/)
  await expect(staff.getByRole('radio', { name: /^Keep the holdings/ })).toBeFocused()
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('form')).toBeHidden()
  expect((await orderOf(api, id)).workflowStatus).toBe('Pending')
  expect((await lineOf(api, line)).locations[0]?.holdingId).toBe(before)
})

test('a line gets one more piece, is cancelled, and nothing of it is left to pay', async ({
  staff,
  api,
  a11y,
}) => {
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const { id, line, at } = await openOrder(api, buyer, `Alken ${name}`, 5.5)
  await staff.goto(at)
  await expect(staff.getByText('0 of 2 received')).toBeVisible()
  await staff.getByRole('button', { name: 'Add piece' }).click()
  const add = staff.getByRole('form', { name: 'Add piece' })
  await add.getByLabel(/^What stands on it/).fill('v. 3')
  await a11y('adding a piece')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText('0 of 3 received')).toBeVisible()
  await expect(staff.getByRole('grid', { name: 'Pieces' })).toContainText('v. 3')
  // The line follows its pieces, and the encumbrance the line.
  expect((await lineOf(api, line)).cost).toMatchObject({
    quantityPhysical: 3,
    poLineEstimatedPrice: 16.5,
  })
  expect(await encumbered(api, buyer.budget.id)).toBe(16.5)

  await staff.getByRole('button', { name: /^Cancel line/ }).click()
  const cancel = staff.getByRole('form', { name: 'Cancel this line?' })
  await expect(cancel.getByRole('button', { name: /^Back/ })).toBeFocused()
  await cancel.getByRole('button', { name: /^Cancel line/ }).click()
  await expect(cancel).toBeHidden()
  expect(await lineOf(api, line)).toMatchObject({
    paymentStatus: 'Cancelled',
    receiptStatus: 'Cancelled',
  })
  // It was the order's only one.
  expect(await orderOf(api, id)).toMatchObject({
    workflowStatus: 'Closed',
    closeReason: { reason: 'Cancelled' },
  })
  expect(await encumbered(api, buyer.budget.id)).toBe(0)
})

test('a line is deleted from a pending order', async ({ staff, api }) => {
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const order = await makeOrder(api, buyer, `Lummen ${name}`, 5.5)
  const line = order.compositePoLines[0]?.id ?? ''
  await staff.goto(`/staff/orders/${order.id}/lines/${line}`)
  await more(staff, /^Delete line/)
  const card = staff.getByRole('form', { name: 'Delete this line?' })
  await card.getByRole('button', { name: /^Delete/ }).click()
  await expect(staff.getByText('No lines yet')).toBeVisible()
  await expect(lineOf(api, line)).rejects.toThrow(/404/)
})

test('a line has contributors and product ids, and the title that is made has them', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const order = await makeOrder(api, buyer, `Leer ${name}`, 1)
  await api.remove(`/orders/order-lines/${order.compositePoLines[0]?.id}`)
  await staff.goto(`/staff/orders/${order.id}`)
  await staff.getByRole('button', { name: /^Add line/ }).click()
  await staff.getByLabel('Title (needed)').fill(`Sturmvögel ${name}`)
  await staff.getByRole('button', { name: 'Add: Contributors' }).click()
  const person = staff.getByRole('group', { name: 'Contributors 1' })
  await person.getByLabel('Name (needed)', { exact: true }).fill('Otter, Ida')
  // What a row lacks is asked for in its place.
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('link', { name: /Kind of name/ })).toBeVisible()
  await person.getByLabel(/^Kind of name/).selectOption({ label: 'Personal name' })
  await staff.getByRole('button', { name: 'Add: Product ids' }).click()
  const product = staff.getByRole('group', { name: 'Product ids 1' })
  await product.getByLabel('Product id (needed)', { exact: true }).fill('9780552142359')
  await product.getByLabel(/^Kind of id/).selectOption({ label: 'ISBN' })
  await staff.getByLabel('Unit price', { exact: true }).fill('7')
  await staff.getByLabel('Fund (needed)').selectOption(buyer.fund.id)
  await staff.getByLabel('Location', { exact: true }).selectOption({ index: 1 })
  await staff.getByLabel('Material type').first().selectOption({ label: 'book' })
  await staff.getByLabel('Claim what is late').check()
  await staff.getByLabel('Late after (days)').fill('14')
  await staff.getByRole('button', { name: /^Add: Reference numbers/ }).click()
  const reference = staff.getByRole('group', { name: /^Reference numbers/ })
  await reference.getByLabel('Number (needed)', { exact: true }).fill('V-77')
  await reference.getByLabel(/^Reference to/).selectOption({ label: 'Title' })
  await a11y('a line with contributors')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('grid', { name: 'Lines' })).toContainText(`Sturmvögel ${name}`)
  await staff.keyboard.press('Alt+o')
  await expect(staff.getByRole('form', { name: 'Open the order?' })).toBeVisible()
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('form', { name: 'Open the order?' })).toHaveCount(0)
  await staff.getByRole('link', { name: `Sturmvögel ${name}` }).click()
  await expect(staff.getByText('Otter, Ida')).toBeVisible()
  await expect(staff.getByText('ISBN 9780552142359')).toBeVisible()
  const { poLines } = await api.get<{ poLines: (Line & { claimingInterval: number })[] }>(
    `/orders/order-lines?query=purchaseOrderId==${order.id}`,
  )
  expect(poLines[0]).toMatchObject({ claimingActive: true, claimingInterval: 14 })
  const title = await api.get<{ contributors: { name: string }[] }>(
    `/inventory/instances/${poLines[0]?.instanceId}`,
  )
  expect(title.contributors.map((one) => one.name)).toContain('Otter, Ida')
  // What an open order fixes is not offered any more.
  await staff.keyboard.press('Alt+e')
  await expect(staff.getByLabel('Title (needed)')).toBeVisible()
  await expect(staff.getByRole('button', { name: 'Add: Contributors' })).toBeHidden()
  await staff.getByLabel('Late after (days)').fill('21')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('21 days')).toBeVisible()
})

test('the titles of a package are added, received and told apart', async ({ staff, api, a11y }) => {
  test.setTimeout(150_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const { line, at } = await openOrder(api, buyer, `Vogelpaket ${name}`, 5.5, {
    isPackage: true,
    checkinItems: true,
  })
  await staff.goto(at)
  await expect(staff.getByText('The package has no titles yet.')).toBeVisible()
  const titles = staff.getByRole('grid', { name: 'Titles of the package' })
  for (const title of ['Erster', 'Zweiter']) {
    await staff.getByRole('button', { name: 'Add title' }).click()
    const card = staff.getByRole('form', { name: 'Add title' })
    await card.getByLabel('Title (needed)').fill(`${title} ${name}`)
    await card.getByLabel('Publisher').fill('Verlag am Deich')
    if (title === 'Erster') await a11y('adding a title')
    await staff.keyboard.press('Enter')
    await expect(titles).toContainText(`${title} ${name}`)
  }
  const first = `Erster ${name}`
  await titles.getByRole('link', { name: first }).click()
  await expect(staff.getByRole('button', { name: `Pieces of ${first}` })).toBeVisible()
  await staff.getByRole('button', { name: 'Add piece' }).click()
  await staff
    .getByRole('form', { name: 'Add piece' })
    .getByLabel(/^What stands/)
    .fill('no. 1')
  await staff.keyboard.press('Enter')
  const row = titles.getByRole('row', { name: new RegExp(first) })
  await expect(row).toContainText('0 of 1 received')
  const pieces = staff.getByRole('grid', { name: 'Pieces' })
  await pieces.getByRole('row').nth(1).focus()
  await staff.keyboard.press('Space')
  await staff.keyboard.press('Alt+r')
  await expect(row).toContainText('1 of 1 received')
  await a11y('the titles of a package')
  // The other title has none of them, and a reload shows the same one.
  await titles.getByRole('link', { name: `Zweiter ${name}` }).click()
  await expect(pieces).toBeHidden()
  await staff.reload()
  await expect(staff.getByRole('button', { name: `Pieces of Zweiter ${name}` })).toBeVisible()
  // A piece that was put under the wrong title moves.
  await staff.getByRole('button', { name: 'Pieces of all titles' }).click()
  await more(staff, /^Edit piece/, 'Actions: no. 1')
  const edit = staff.getByRole('form', { name: 'Edit piece' })
  await edit.getByLabel('Title (needed)').selectOption({ label: `Zweiter ${name}` })
  await staff.keyboard.press('Enter')
  await expect(row).toContainText('No pieces')
  await expect(titles.getByRole('row', { name: /Zweiter/ })).toContainText('1 of 1 received')
  // A title without pieces can go, one with pieces not.
  await more(staff, /^Delete title/, `Actions: ${first}`)
  await staff
    .getByRole('form', { name: `Delete the title ${first}?` })
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(titles).not.toContainText(first)
  await staff.getByRole('button', { name: `Actions: Zweiter ${name}` }).click()
  await expect(staff.getByRole('menuitem', { name: /^Delete title/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await staff.keyboard.press('Escape')
  const stored = await api.get<{ titles: { title: string; publisher: string }[] }>(
    `/orders/titles?query=poLineId==${line}`,
  )
  expect(stored.titles).toMatchObject([{ title: `Zweiter ${name}`, publisher: 'Verlag am Deich' }])
})

test('a line becomes a package in its form, and another line a part of it', async ({
  staff,
  api,
}) => {
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const order = await makeOrder(api, buyer, `Bündel ${name}`, 5.5)
  const line = order.compositePoLines[0]?.id ?? ''
  await staff.goto(`/staff/orders/${order.id}/lines/${line}/edit`)
  await staff.getByLabel('Package of several titles').check()
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('button', { name: 'Add title' })).toBeVisible()
  const other = await makeOrder(api, buyer, `Teil ${name}`, 5.5)
  const part = other.compositePoLines[0]?.id ?? ''
  await staff.goto(`/staff/orders/${other.id}/lines/${part}/edit`)
  await choose(staff, 'Part of the package', `Bündel ${name}`, new RegExp(`Bündel ${name}`))
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: `Teil ${name}` })).toBeVisible()
  expect(await lineOf(api, part)).toMatchObject({ packagePoLineId: line })
})

test('pieces are edited, marked late, claimed, bound, taken out and deleted', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(180_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const { locations } = await api.get<{ locations: { id: string }[] }>('/locations?limit=1')
  const { line, at } = await openOrder(api, buyer, `Wellen ${name}`, 2, {
    ...(await withItems(api)),
    cost: { currency: 'USD', listUnitPrice: 2, quantityPhysical: 3 },
    locations: [{ locationId: locations[0]?.id, quantityPhysical: 3, quantity: 3 }],
  })
  await staff.goto(at)
  await expect(staff.getByText('0 of 3 received')).toBeVisible()
  const grid = staff.getByRole('grid', { name: 'Pieces' })

  await test.step('edited', async () => {
    await more(staff, /^Edit piece/, 'Actions: Piece')
    const edit = staff.getByRole('form', { name: 'Edit piece' })
    await edit.getByLabel(/^What stands on it/).fill('no. 1')
    await edit.getByLabel('Barcode').fill(`P${name}`)
    await edit.getByLabel('Show to the public').check()
    await a11y('editing a piece')
    await edit.getByRole('button', { name: /^Save/ }).click()
    // What the public sees, the holdings show: the refusal is in words, and what was typed stays.
    await expect(edit.getByRole('alert')).toContainText('shown in the holdings, too')
    await expect(edit.getByLabel(/^What stands on it/)).toHaveValue('no. 1')
    await edit.getByLabel('Show in the holdings').check()
    await edit.getByRole('button', { name: /^Save/ }).click()
    await expect(grid).toContainText('no. 1')
    const piece = (await piecesOf(api, line)).find((one) => one.displaySummary === 'no. 1')
    const item = await api.get<{ barcode: string }>(`/item-storage/items/${piece?.itemId}`)
    expect(item.barcode).toBe(`P${name}`)
  })

  await test.step('marked late, and claimed once the vendor’s claims are set up', async () => {
    await more(staff, /^Change status/, 'Actions: no. 1')
    await staff.getByLabel('Status (needed)').selectOption({ label: 'Late' })
    await staff.getByRole('button', { name: /^Set status/ }).click()
    await expect(grid).toContainText('Late')
    const claim = staff.getByRole('form', { name: 'Claim 1 piece?' })
    await more(staff, /^Claim/, 'Actions: no. 1')
    await claim.getByLabel(/^Late again after/).fill('10')
    await a11y('claiming a piece')
    await claim.getByRole('button', { name: /^Claim/ }).click()
    await expect(claim.getByRole('alert')).toContainText('claims are')
    const entry = await api.post<{ id: string }>('/configurations/entries', {
      module: 'mod-data-export-spring',
      configName: `CLAIMS_${buyer.vendor.id}_${name}`,
      enabled: true,
      value: '{}',
    })
    await claim.getByRole('button', { name: /^Claim/ }).click()
    await expect(claim).toBeHidden()
    await expect(grid).toContainText('Claim sent')
    await api.remove(`/configurations/entries/${entry.id}`)
    expect(await piecesOf(api, line)).toContainEqual(
      expect.objectContaining({ receivingStatus: 'Claim sent', claimingInterval: 10 }),
    )
    // And back: what is expected again is claimed no more.
    await more(staff, /^Change status/, 'Actions: no. 1')
    await staff.getByLabel('Status (needed)').selectOption({ label: 'Expected' })
    await staff.getByRole('button', { name: /^Set status/ }).click()
    await expect(grid).not.toContainText('Claim sent')
  })

  await test.step('bound, and one taken out again', async () => {
    await grid.getByRole('checkbox').first().check()
    await staff.keyboard.press('Alt+r')
    await expect(staff.getByText('3 of 3 received')).toBeVisible()
    await grid.getByRole('row').nth(1).focus()
    await staff.keyboard.press('Space')
    await staff.keyboard.press('ArrowDown')
    await staff.keyboard.press('Space')
    await more(staff, /^Bind/, 'More acts for these pieces')
    const bind = staff.getByRole('form', { name: 'Bind 2 pieces?' })
    await bind.getByLabel('Barcode').fill(`B${name}`)
    await a11y('binding pieces')
    await bind.getByRole('button', { name: /^Bind/ }).click()
    await expect(bind).toBeHidden()
    await expect(grid.getByText('bound')).toHaveCount(2)
    const { items } = await api.get<{ items: { status: { name: string } }[] }>(
      `/item-storage/items?query=barcode==B${name}`,
    )
    expect(items).toMatchObject([{ status: { name: 'In process' } }])
    await grid.getByRole('row', { name: /bound/ }).first().getByRole('button').click()
    await staff.getByRole('menuitem', { name: 'Take out of the binding' }).click()
    await expect(grid.getByText('bound')).toHaveCount(1)
  })

  await test.step('deleted, and the line has one copy less', async () => {
    await grid
      .getByRole('row')
      .filter({ hasNotText: /bound|no\. 1/ })
      .nth(1)
      .getByRole('button')
      .click()
    await staff.getByRole('menuitem', { name: /^Delete/ }).click()
    const card = staff.getByRole('form', { name: 'Delete this piece?' })
    await card.getByRole('button', { name: /^Delete piece/ }).click()
    await expect(staff.getByText('2 of 2 received')).toBeVisible()
    expect((await lineOf(api, line)).cost.quantityPhysical).toBe(2)
  })
})

test('routing lists are as many as printed copies, and a line is linked to another title', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const { line, at } = await openOrder(api, buyer, `Gezeiten ${name}`, 2)
  const prints = await catchPrints(staff)
  await staff.goto(at)
  for (const list of ['Lesesaal', 'Verwaltung']) {
    await staff.getByRole('button', { name: 'Add routing list' }).click()
    const card = staff.getByRole('form', { name: 'Add routing list' })
    await card.getByLabel('Name (needed)').fill(`${list} ${name}`)
    await choose(staff, 'Reader', 'Okwuosa', /Okwuosa/)
    if (list === 'Lesesaal') await a11y('a routing list')
    await card.getByRole('button', { name: /^Save/ }).click()
    await expect(card).toBeHidden()
  }
  const lists = staff.getByRole('grid', { name: 'Routing lists' })
  await expect(lists.getByRole('row', { name: /Lesesaal/ })).toContainText('Okwuosa')
  await expect(staff.getByRole('button', { name: 'Add routing list' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await more(staff, /^Edit/, `Actions: Lesesaal ${name}`)
  const edit = staff.getByRole('form', { name: `Edit Lesesaal ${name}` })
  await edit.getByLabel('Notes').fill('three days each')
  await edit.getByRole('button', { name: /^Save/ }).click()
  await expect(lists).toContainText('three days each')
  await more(staff, /^Print/, `Actions: Lesesaal ${name}`)
  const [printed = ''] = await prints()
  expect(printed).toContain(`Lesesaal ${name}`)
  expect(printed).toContain('Okwuosa')
  expect(printed).toContain(`Gezeiten ${name}`)
  await more(staff, /^Delete list/, `Actions: Verwaltung ${name}`)
  await staff
    .getByRole('form', { name: `Delete the routing list Verwaltung ${name}?` })
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(lists).not.toContainText('Verwaltung')

  const before = await lineOf(api, line)
  await more(staff, /^Link to another title/)
  const link = staff.getByRole('form', { name: 'Link the line to another title' })
  await choose(staff, 'Title in the catalogue', 'wolf hall', /Wolf Hall/i)
  await a11y('linking a line')
  await link.getByRole('button', { name: /^Link/ }).click()
  await expect(staff.getByRole('heading', { name: /Wolf Hall/i, level: 1 })).toBeVisible()
  const now = await lineOf(api, line)
  expect(now.instanceId).not.toBe(before.instanceId)
  const { holdingId } = now.locations[0] ?? {}
  expect(holdingId).toBe(before.locations[0]?.holdingId)
  const holdings = await api.get<{ instanceId: string }>(`/holdings-storage/holdings/${holdingId}`)
  expect(holdings.instanceId).toBe(now.instanceId)
})

test('an order that a rollover left behind is encumbered again', async ({ staff, api, a11y }) => {
  test.setTimeout(120_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const { fund, year } = buyer
  const { id } = await openOrder(api, buyer, `Überläufer ${name}`, 5.5, {}, { reEncumber: true })
  const next = await followingYear(api, year.id)
  const { ledgerId } = (await api.get<{ fund: { ledgerId: string } }>(`/finance/funds/${fund.id}`))
    .fund
  await api.post('/finance/ledger-rollovers', {
    ledgerId,
    fromFiscalYearId: year.id,
    toFiscalYearId: next.id,
    rolloverType: 'Commit',
    restrictEncumbrance: true,
    restrictExpenditures: true,
    budgetsRollover: [{ rolloverAllocation: false, rolloverBudgetValue: 'None' }],
    encumbrancesRollover: [{ orderType: 'One-time', basedOn: 'InitialAmount' }],
  })
  // The new budget has nothing: the order stays behind.
  await expect.poll(async () => (await orderOf(api, id)).needReEncumber).toBe(true)
  await staff.goto(`/staff/orders/${id}`)
  const again = staff.getByRole('button', { name: 'Encumber again' })
  await expect(again).toBeVisible()
  await a11y('an order that was left behind')
  await again.click()
  await expect(staff.getByRole('main').getByRole('alert')).toContainText('not enough money')
  await api.post('/finance/transactions/batch-all-or-nothing', {
    transactionsToCreate: [
      {
        id: crypto.randomUUID(),
        transactionType: 'Allocation',
        amount: 50,
        currency: 'USD',
        fiscalYearId: next.id,
        toFundId: fund.id,
        source: 'User',
      },
    ],
  })
  await again.click()
  await expect(again).toBeHidden()
  expect((await orderOf(api, id)).needReEncumber).toBe(false)
  const { budgets } = await api.get<{ budgets: { encumbered: number }[] }>(
    `/finance/budgets?query=${encodeURIComponent(`fundId==${fund.id} and fiscalYearId==${next.id}`)}`,
  )
  expect(budgets).toMatchObject([{ encumbered: 11 }])
})

/** The year after this one, which has begun: of two years that contain today it is the current one. */
async function followingYear(api: Api, id: string): Promise<{ id: string }> {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const year = await api.get<{ code: string; name: string }>(`/finance/fiscal-years/${id}`)
  const code = year.code.replace(/\d{4}$/, (digits) => String(Number(digits) + 1))
  return await api.post<{ id: string }>('/finance/fiscal-years', {
    name: `${year.name} +1`,
    code,
    periodStart: `${day(0)}T00:00:00.000+00:00`,
    periodEnd: `${day(300)}T23:59:59.000+00:00`,
  })
}
