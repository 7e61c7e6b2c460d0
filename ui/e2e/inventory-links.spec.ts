// What ties records of the inventory together: holdings and items moved to another title, related titles, orders.
import { type Api, expect, test } from './fixtures'
import { makeItem } from './items'
import { makeBuyer, mark, openOrder } from './money'

async function makeTitle(api: Api, title: string) {
  const { instanceTypes } = await api.get<{ instanceTypes: { id: string }[] }>(
    '/instance-types?limit=1',
  )
  return api.post<{ id: string }>('/instance-storage/instances', {
    title,
    source: 'FOLIO',
    instanceTypeId: instanceTypes[0]?.id,
  })
}

async function makeHoldings(api: Api, instanceId: string) {
  const { locations } = await api.get<{ locations: { id: string }[] }>('/locations?limit=1')
  const { holdingsRecordsSources } = await api.get<{
    holdingsRecordsSources: { id: string }[]
  }>('/holdings-sources?query=name==FOLIO')
  return api.post<{ id: string }>('/holdings-storage/holdings', {
    instanceId,
    permanentLocationId: locations[0]?.id,
    sourceId: holdingsRecordsSources[0]?.id,
  })
}

test('holdings are moved to another title, then an item back to the first by its holdings', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = mark()
  const [from, to] = [
    await makeTitle(api, `Ausgang ${name}`),
    await makeTitle(api, `Eingang ${name}`),
  ]
  const holdings = await makeHoldings(api, from.id)
  const item = await makeItem(api, { holdingsRecordId: holdings.id })
  await staff.goto(`/staff/inventory/${from.id}`)
  await staff
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click()
  await staff.getByRole('menuitem', { name: /^Move to another title/ }).click()
  const card = staff.getByRole('form', { name: 'Move the holdings to another title?' })
  await expect(card).toContainText('Choose a title.')
  await card.getByRole('combobox', { name: 'Title' }).fill(`Eingang ${name}`)
  await staff.getByRole('option', { name: new RegExp(`Eingang ${name}`) }).click()
  await a11y('holdings that move to another title')
  await card.getByRole('button', { name: /^Move/ }).click()
  await expect(staff.getByRole('heading', { name: `Eingang ${name}`, level: 1 })).toBeVisible()
  expect(await api.get(`/holdings-storage/holdings/${holdings.id}`)).toMatchObject({
    instanceId: to.id,
  })
  await expect(staff.getByRole('row', { name: new RegExp(item.barcode) })).toBeVisible()

  const others = await makeHoldings(api, from.id)
  await staff
    .getByRole('row', { name: new RegExp(item.barcode) })
    .getByRole('checkbox')
    .click()
  await staff.getByRole('button', { name: 'Move to' }).click()
  await staff.getByRole('menuitem', { name: /^Holdings of another title/ }).click()
  const items = staff.getByRole('form', { name: 'Move the items to another title?' })
  await items.getByRole('combobox', { name: 'Title' }).fill(`Ausgang ${name}`)
  await staff.getByRole('option', { name: new RegExp(`Ausgang ${name}`) }).click()
  await items.getByRole('button', { name: /Holdings/ }).click()
  await staff.getByRole('option').first().click()
  await a11y('items that move to another title')
  await items.getByRole('button', { name: /^Move/ }).click()
  await expect(items).toBeHidden()
  expect(await api.get(`/item-storage/items/${item.id}`)).toMatchObject({
    holdingsRecordId: others.id,
  })
})

test('a title is part of another and continues a third; both are links, and are taken off again', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const name = mark()
  const title = await makeTitle(api, `Band ${name}`)
  const series = await makeTitle(api, `Reihe ${name}`)
  const before = await makeTitle(api, `Vorher ${name}`)
  const choose = async (field: string, words: string) => {
    const group = staff.getByRole('region', { name: field, exact: true })
    await group.getByRole('combobox', { name: /^Title in the catalogue/ }).fill(words)
    await staff.getByRole('option', { name: new RegExp(words) }).click()
  }
  await staff.goto(`/staff/inventory/${title.id}/edit`)
  await staff.getByRole('button', { name: 'Add: Part of' }).click()
  await choose('Part of', `Reihe ${name}`)
  await staff
    .getByRole('region', { name: 'Part of', exact: true })
    .getByLabel(/^Relationship/)
    .selectOption({ index: 1 })
  await staff.getByRole('button', { name: 'Add: Preceding title' }).click()
  await choose('Preceding title', `Vorher ${name}`)
  await staff.getByRole('button', { name: 'Add: Succeeding title' }).click()
  await staff
    .getByRole('region', { name: 'Succeeding title', exact: true })
    .getByLabel('Title, where the catalogue lacks it')
    .fill(`Nachher ${name}`)
  await a11y('related titles in the form')
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: `Band ${name}`, level: 1 })).toBeVisible()
  await staff.goto(`/staff/inventory/${title.id}?tab=description`)
  await expect(staff.getByRole('link', { name: `Vorher ${name}` })).toBeVisible()
  await expect(staff.getByText(`Nachher ${name}`)).toBeVisible()
  await a11y('related titles of a record')
  expect(await api.get(`/inventory/instances/${title.id}`)).toMatchObject({
    parentInstances: [{ superInstanceId: series.id }],
    precedingTitles: [{ precedingInstanceId: before.id }],
    succeedingTitles: [{ title: `Nachher ${name}` }],
  })
  await staff.getByRole('link', { name: `Reihe ${name}` }).click()
  await expect(staff.getByRole('heading', { name: `Reihe ${name}`, level: 1 })).toBeVisible()

  await staff.goto(`/staff/inventory/${title.id}/edit`)
  await staff.getByRole('button', { name: 'Take away: Part of 1' }).click()
  await staff.getByRole('button', { name: 'Take away: Preceding title 1' }).click()
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: `Band ${name}`, level: 1 })).toBeVisible()
  // The form has the title as its heading, too.
  await expect
    .poll(() => api.get(`/inventory/instances/${title.id}`))
    .toMatchObject({ parentInstances: [], precedingTitles: [] })
})

test('the orders of a title stand at it and lead to their lines', async ({ staff, api, a11y }) => {
  test.setTimeout(120_000)
  const name = mark()
  const buyer = await makeBuyer(api, name, 100)
  const { line, at } = await openOrder(api, buyer, `Bestellt ${name}`, 5)
  const { instanceId } = await api.get<{ instanceId: string }>(`/orders/order-lines/${line}`)
  await staff.goto(`/staff/inventory/${instanceId}?tab=orders`)
  const orders = staff.getByRole('grid', { name: 'Orders' })
  await expect(orders).toContainText('Open')
  await expect(orders).toContainText('Physical')
  await a11y('the orders of a title')
  await orders.getByRole('row').nth(1).press('Enter')
  await expect(staff).toHaveURL(new RegExp(`${at}$`))
  const other = await makeTitle(api, `Geschenkt ${name}`)
  await staff.goto(`/staff/inventory/${other.id}?tab=orders`)
  await expect(staff.getByText('Nothing was ordered of this title.')).toBeVisible()
})
