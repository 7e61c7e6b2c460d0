// Records saved as MARC from where they are found, and what changed of authorities.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { makeAuthority } from './authority'
import { expect, test } from './fixtures'

/** The records of a MARC file end with this. */
const END = '\u001d'

async function saved(page: Page, press: () => Promise<unknown>) {
  const waiting = page.waitForEvent('download', { timeout: 45_000 })
  await press()
  const file = await waiting
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

const records = (text: string) => text.split(END).filter(Boolean)

test('all titles of a search are saved as MARC, as ids, and two of them alone', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const query = encodeURIComponent('title all "lord"')
  const { instances } = await api.get<{ instances: { id: string; title: string }[] }>(
    `/search/instances?limit=100&query=${query}`,
  )
  await staff.goto('/staff/inventory?by=query&q=title%20all%20%22lord%22')
  const list = staff.getByRole('grid').first()
  await expect(list.getByRole('row')).toHaveCount(instances.length + 1)
  const menu = () => staff.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await menu()
  const all = await saved(staff, () =>
    staff.getByRole('menuitem', { name: `All ${instances.length} as MARC` }).press('Enter'),
  )
  expect(all.name).toMatch(/\.mrc$/)
  expect(records(all.text)).toHaveLength(instances.length)
  await expect(staff.getByText(`${instances.length} records saved`)).toBeVisible()
  await a11y('titles that were saved')
  await menu()
  const ids = await saved(staff, () =>
    staff.getByRole('menuitem', { name: /^The ids of all/ }).press('Enter'),
  )
  expect(ids.text.trim().split('\n').toSorted()).toEqual(instances.map(({ id }) => id).toSorted())
  await list.getByRole('checkbox').nth(1).press('Space')
  const one = await saved(staff, () => staff.getByRole('button', { name: 'Save as MARC' }).click())
  expect(records(one.text)).toHaveLength(1)
})

test('authorities are saved as MARC; what changed of them is listed and filed', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(120_000)
  const mark = `Zz${Date.now()}`
  const heading = `${mark}, Selma`
  const id = await makeAuthority(api, heading)
  await staff.goto(`/staff/authorities?q=${mark}`)
  const list = staff.getByRole('grid').first()
  await expect(list).toContainText(heading)
  await list.getByRole('checkbox').nth(1).press('Space')
  await a11y('an authority that is chosen')
  const file = await saved(staff, () => staff.getByRole('button', { name: 'Save as MARC' }).click())
  expect(records(file.text)).toHaveLength(1)
  expect(file.text).toContain(heading)

  const path = `/authority-storage/authorities/${id}`
  const authority = await api.get<{ personalName: string }>(path)
  await api.put(path, { ...authority, personalName: `${mark}, Thekla` })
  await staff.keyboard.press('Escape')
  await staff.goto('/staff/authorities')
  await staff.getByRole('grid').first().waitFor()
  await staff.keyboard.press('Alt+r')
  await expect(staff.getByRole('heading', { name: 'Changes', level: 1 })).toBeVisible()
  const row = staff.getByRole('row').filter({ hasText: `${mark}, Thekla` })
  await expect(row).toContainText(heading)
  await a11y('changed headings')
  const csv = await saved(staff, () => staff.getByRole('button', { name: 'Save as CSV' }).click())
  expect(csv.text).toContain(`"${mark}, Thekla"`)
  await row.getByRole('link').click()
  await expect(staff.getByRole('heading', { name: new RegExp(mark), level: 1 })).toBeVisible()
  await api.remove(path)
  await staff.goto('/staff/authorities/changes?of=deleted')
  await expect(staff.getByText('Nothing changed').or(staff.getByRole('grid'))).toBeVisible()
  await staff.goto('/staff/authorities/changes?of=failed')
  await expect(staff.getByText('Nothing changed').or(staff.getByRole('grid'))).toBeVisible()
  await a11y('titles that could not follow')
})

test('a title is set for deletion, hidden, and taken back in its form', async ({
  staff,
  api,
  a11y,
}) => {
  const { instanceTypes } = await api.get<{ instanceTypes: { id: string }[] }>(
    '/instance-types?limit=1',
  )
  const id = crypto.randomUUID()
  const title = `zz deletion ${Date.now()}`
  await api.post('/inventory/instances', {
    id,
    title,
    source: 'FOLIO',
    instanceTypeId: instanceTypes[0]?.id,
  })
  const read = () =>
    api.get<{ deleted?: boolean; staffSuppress?: boolean }>(`/inventory/instances/${id}`)
  await staff.goto(`/staff/inventory/${id}`)
  await staff.getByRole('button', { name: 'More actions' }).press('Enter')
  await staff.getByRole('menuitem', { name: 'Set for deletion' }).press('Enter')
  const dialog = staff.getByRole('alertdialog')
  await a11y('what is asked')
  await dialog.getByRole('button', { name: 'Set for deletion' }).click()
  await expect.poll(async () => (await read()).deleted).toBe(true)
  expect((await read()).staffSuppress).toBe(true)
  await staff.goto(`/staff/inventory/${id}/edit`)
  await staff.getByRole('checkbox', { name: 'Set for deletion' }).press('Space')
  await staff.keyboard.press('Control+s')
  await expect.poll(async () => (await read()).deleted).toBe(false)
  await api.remove(`/inventory/instances/${id}`)
})
