// Scenes of forms in the middle of their work: what is related, moved, tagged, linked.
import type { Page } from '@playwright/test'
import { authorityOf } from './authority'
import { type Api, expect } from './fixtures'
import { purchases } from './purchases'
import { at, heading, lineOf, type Scene, type Stage, titleNamed } from './stage'

/** An order with an address of the library and tags. */
async function tidied(api: Api) {
  const { birds } = await purchases(api)
  const path = `/orders/composite-orders/${birds.id}`
  const stored = await api.get<{ id: string; tags?: { tagList: string[] } }>(path)
  if (stored.tags?.tagList.length) return stored
  const { id } = await api.post<{ id: string }>('/tenant-addresses', {
    name: 'Main building',
    address: '12 Quay Street, Harbour City',
  })
  const known = await api.get<{ tags: { label: string }[] }>('/tags?limit=100')
  for (const label of ['gift', 'gift-exchange', 'rush'])
    if (!known.tags.some((tag) => tag.label === label)) await api.post('/tags', { label })
  await api.put(path, { ...stored, billTo: id, shipTo: id, tags: { tagList: ['rush', 'gift'] } })
  return stored
}

async function orderEdit({ page, api }: Stage) {
  const { id } = await tidied(api)
  await page.goto(`/staff/orders/${id}/edit`)
  await expect(page.getByLabel('Bill to')).toBeVisible()
  // Chosen: while a list is open, React Aria hides the rest of the page from screen readers, which axe does not like.
  await page.getByRole('combobox', { name: 'Add: Tags' }).fill('gift')
  await page.getByRole('option', { name: 'gift-exchange' }).click()
}

/** A title with holdings and an item that is chosen to go elsewhere. */
async function moveItems({ page, api }: Stage) {
  await page.goto(`/staff/inventory/${await titleNamed(api, 'lord of the rings')}`)
  await page.getByRole('grid').first().getByRole('row').nth(1).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Move to' }).click()
  await page.getByRole('menuitem', { name: /^Holdings of another title/ }).click()
  const card = page.getByRole('form', { name: 'Move the items to another title?' })
  await card.getByRole('combobox', { name: 'Title' }).fill('wolf hall')
  await page
    .getByRole('option', { name: /wolf hall/i })
    .first()
    .click()
  await expect(card.getByRole('button', { name: /Holdings/ })).toBeVisible()
}

async function moveHoldings({ page, api }: Stage) {
  await page.goto(`/staff/inventory/${await titleNamed(api, 'lord of the rings')}`)
  await page
    .getByRole('button', { name: /^Actions: / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: /^Move to another title/ }).click()
  const card = page.getByRole('form', { name: 'Move the holdings to another title?' })
  await card.getByRole('combobox', { name: 'Title' }).fill('wolf hall')
  await page
    .getByRole('option', { name: /wolf hall/i })
    .first()
    .click()
}

/** A title that no MARC record controls, made once. */
async function ownTitle(api: Api, title: string) {
  const query = encodeURIComponent(`title=="${title}"`)
  const { instances } = await api.get<{ instances: { id: string }[] }>(
    `/instance-storage/instances?limit=1&query=${query}`,
  )
  if (instances[0]) return instances[0].id
  const { instanceTypes } = await api.get<{ instanceTypes: { id: string }[] }>(
    '/instance-types?limit=1',
  )
  const made = await api.post<{ id: string }>('/instance-storage/instances', {
    title,
    source: 'FOLIO',
    instanceTypeId: instanceTypes[0]?.id,
  })
  return made.id
}

async function relatedForm({ page, api }: Stage) {
  await page.goto(`/staff/inventory/${await ownTitle(api, 'Letters from the harbour, 2')}/edit`)
  const choose = async (field: string, words: string) => {
    await page.getByRole('button', { name: `Add: ${field}` }).click()
    const group = page.getByRole('region', { name: field, exact: true })
    await group.getByRole('combobox', { name: /^Title in the catalogue/ }).fill(words)
    await page
      .getByRole('option', { name: new RegExp(words, 'i') })
      .first()
      .click()
  }
  await choose('Part of', 'lord of the rings')
  await choose('Preceding title', 'lord of the rings')
}

/** A title whose record names others. */
async function related(api: Api) {
  const id = await ownTitle(api, 'Letters from the harbour, 1')
  const other = await titleNamed(api, 'lord of the rings')
  const path = `/inventory/instances/${id}`
  const stored = await api.get<{ precedingTitles?: unknown[] }>(path)
  if (!stored.precedingTitles?.length) {
    const { instanceRelationshipTypes } = await api.get<{
      instanceRelationshipTypes: { id: string }[]
    }>('/instance-relationship-types?limit=1')
    await api.put(path, {
      ...stored,
      precedingTitles: [{ precedingInstanceId: other }],
      succeedingTitles: [{ title: 'Letters from the harbour, 2' }],
      parentInstances: [
        { superInstanceId: other, instanceRelationshipTypeId: instanceRelationshipTypes[0]?.id },
      ],
    })
  }
  return `/inventory/${id}?tab=description`
}

async function chooseAuthority({ page, api }: Stage) {
  const name = await authorityOf(api)
  await page.goto('/staff/inventory/new/marc/edit')
  await heading(page, 'New MARC record')
  const title = page.getByRole('textbox', { name: '245 content' })
  await title.fill('$a The weaver of Visby')
  await title.press('Control+Enter')
  await page.keyboard.type('700')
  const field = page.getByRole('textbox', { name: '700 content' })
  await field.fill(`$a ${name}, $e author.`)
  await field.press('Shift+F9')
  await expect(
    page.getByRole('button', { name: new RegExp(`^Link to ${name}`) }).first(),
  ).toBeVisible()
}

/** An item that was changed twice, with its versions beside it. */
async function versions({ page, api }: Stage) {
  const { items } = await api.get<{ items: { id: string; holdingsRecordId: string }[] }>(
    '/item-storage/items?limit=1&query=status.name==Available%20sortby%20hrid',
  )
  const [item] = items
  if (!item) throw new Error('no item')
  const path = `/item-storage/items/${item.id}`
  for (const part of [{ volume: 'v. 7' }, { volume: 'v. 8', administrativeNotes: ['rebound'] }])
    await api.put(path, { ...(await api.get<object>(path)), ...part })
  const { instanceId } = await api.get<{ instanceId: string }>(
    `/holdings-storage/holdings/${item.holdingsRecordId}`,
  )
  await page.goto(`/staff/inventory/${instanceId}/items/${item.id}`)
  await page.getByRole('button', { name: 'Version history' }).click()
  const pane = page.getByRole('dialog', { name: 'Version history' })
  await expect(pane.getByRole('row').filter({ hasText: 'Volume' }).first()).toContainText('v. 8')
}

/** A profile of imports that comes with the server. */
const profile = (kind: string) => async (api: Api) => {
  const kinds = `${kind}Profiles`
  const found = await api.get<Record<string, { id: string }[]>>(
    `/data-import-profiles/${kinds}?limit=1&query=${encodeURIComponent('name="Default" sortby name')}`,
  )
  return `/settings?of=${kind}-profiles&id=${found[kinds]?.[0]?.id}`
}
const formOpen = (page: Page) =>
  expect(page.getByRole('textbox', { name: /^Name/ }).first()).not.toHaveValue('')

export const FORM_SCENES: readonly Scene[] = [
  { name: 'order-edit', open: orderEdit },
  {
    name: 'order-tagged',
    open: at(
      async (api) => `/orders/${(await tidied(api)).id}`,
      (page) => expect(page.getByText('rush')).toBeVisible(),
    ),
  },
  {
    name: 'line-edit',
    open: at(lineOf('/edit'), (page) =>
      expect(page.getByRole('combobox', { name: 'Add: Tags' })).toBeVisible(),
    ),
  },
  { name: 'related-form', open: relatedForm },
  {
    name: 'related',
    open: at(related, (page) =>
      expect(page.getByText('Letters from the harbour, 2')).toBeVisible(),
    ),
  },
  { name: 'move-items', open: moveItems },
  { name: 'move-holdings', open: moveHoldings },
  {
    name: 'marc-new',
    open: at('/inventory/new/marc/edit', (page) => heading(page, 'New MARC record')),
  },
  { name: 'marc-authority', open: chooseAuthority },
  { name: 'versions', open: versions },
  { name: 'import-job-form', open: at(profile('job'), formOpen) },
  { name: 'import-mapping-form', open: at(profile('mapping'), formOpen) },
  {
    name: 'voucher-numbers',
    open: at('/settings?of=voucher-numbers', (page) =>
      expect(page.getByLabel('Letters before the number')).toBeVisible(),
    ),
  },
]
