// Import and export: a file is sent, its job is followed down to a record, and what it made is exported.
import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures'
import { marc } from './marc21'

test('a file is imported, and its job shows what became of each record', async ({
  staff,
  a11y,
}) => {
  const title = `Harbour ${Date.now()}`
  const file = [marc(1, `${title} one`), marc(2), marc(3, `${title} three`)].join('')
  await staff.goto('/staff/data')
  await expect(staff.getByRole('heading', { name: 'Import and export', level: 1 })).toBeVisible()
  await a11y('nothing imported yet')
  await staff.getByLabel(/Drop a file here/).setInputFiles({
    name: 'harbour.mrc',
    mimeType: 'application/marc',
    buffer: Buffer.from(file),
  })
  const form = staff.getByRole('region', { name: 'Import a file' })
  await form.getByRole('button', { name: /Job profile/ }).click()
  await staff.getByRole('option', { name: 'Default - Create instance and SRS MARC Bib' }).click()
  await form.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(staff.getByRole('heading', { name: 'harbour.mrc', level: 1 })).toBeVisible()
  const progress = staff.getByRole('region', { name: 'Progress' })
  await expect(progress.getByRole('status')).toContainText('Done, with faults', { timeout: 30_000 })
  await expect(progress).toContainText('Created2')
  await expect(progress).toContainText('Failed1')
  const records = staff.getByRole('grid', { name: 'Records' })
  await expect(records).toContainText('field 245 is missing')
  await a11y('a job with a fault')
  const saved = staff.waitForEvent('download')
  await staff.getByRole('button', { name: 'Failed records as a file' }).click()
  const failed = await saved
  expect(failed.suggestedFilename()).toBe('failed-harbour.mrc')
  expect(await readFile(await failed.path(), 'utf8')).toBe(marc(2))
  await records.getByRole('row').nth(1).getByText(/245/).click()
  await records.getByRole('row').nth(1).press('Enter')
  await expect(staff.getByRole('region', { name: 'The record as it was read' })).toContainText('x2')
  await staff.getByText('All', { exact: true }).click()
  await expect(records).toContainText(`${title} one`)
  await expect(records).toContainText(`${title} three`)
  // The address keeps what is shown.
  await staff.reload()
  await expect(records).toContainText(`${title} three`)
})

test('titles are exported by their ids', async ({ staff, api, a11y }) => {
  const { instances } = await api.get<{ instances: { id: string }[] }>(
    '/instance-storage/instances?limit=2&query=cql.allRecords=1',
  )
  await staff.goto('/staff/data?tab=export')
  const form = staff.getByRole('region', { name: 'Export', exact: true })
  await expect(form).toBeVisible()
  await a11y('export')
  await form.getByText('By list of ids').click()
  await form.getByRole('textbox').fill(instances.map(({ id }) => id).join('\n'))
  await expect(form).toContainText('2 ids found in it')
  await form.getByRole('button', { name: /Job profile/ }).click()
  await staff.getByRole('option', { name: /Default instance/ }).click()
  await form.getByRole('button', { name: 'Export', exact: true }).click()
  const jobs = staff.getByRole('grid', { name: 'Exports' })
  await expect(jobs.getByText('Done', { exact: true }).first()).toBeVisible({ timeout: 30_000 })
  const fetched = staff.waitForEvent('download')
  await jobs
    .getByRole('button', { name: /^Download/ })
    .first()
    .click()
  expect((await fetched).suggestedFilename()).toMatch(/\.mrc$/)
  await a11y('an export')
})

test('a profile of exports adds a field and leaves others out', async ({ staff, api, a11y }) => {
  test.setTimeout(120_000)
  const name = `zz export ${Date.now()}`
  await staff.goto('/staff/settings?of=export-mapping-profiles&id=new')
  await staff.getByLabel('Name').fill(name)
  await staff.getByRole('checkbox', { name: 'their holdings' }).press('Space')
  await staff.getByRole('button', { name: 'Add a field' }).click()
  const row = staff.getByRole('group', { name: 'Fields that are added, 1' })
  await row.getByRole('combobox', { name: /^Field of the record/ }).fill('holdings.hrid')
  await staff.getByRole('option', { name: 'holdings.hrid' }).first().click()
  await row.getByRole('textbox', { name: /^MARC field/ }).fill('90$a')
  await staff.keyboard.press('Control+s')
  await expect(row).toContainText('Type a field such as 900$a.')
  await row.getByRole('textbox', { name: /^MARC field/ }).fill('901$h')
  await staff.getByLabel('MARC fields that are left out').fill('245, 300')
  await a11y('a field mapping of exports')
  await staff.keyboard.press('Control+s')
  await expect(
    staff.getByRole('heading', { name: 'Field mappings of exports', level: 1 }),
  ).toBeVisible()
  await staff.goto('/staff/settings?of=export-job-profiles&id=new')
  await staff.getByLabel('Name').fill(name)
  await staff.getByRole('button', { name: /Field mapping profile/ }).click()
  await staff.getByRole('option', { name }).click()
  await staff.keyboard.press('Control+s')
  await expect(
    staff.getByRole('heading', { name: 'Job profiles of exports', level: 1 }),
  ).toBeVisible()

  const { holdingsRecords } = await api.get<{
    holdingsRecords: { hrid: string; instanceId: string }[]
  }>('/holdings-storage/holdings?limit=1&query=cql.allRecords=1')
  const [holdings] = holdingsRecords
  await staff.goto('/staff/data?tab=export')
  const form = staff.getByRole('region', { name: 'Export', exact: true })
  await form.getByText('By list of ids').click()
  await form.getByRole('textbox').fill(holdings?.instanceId ?? '')
  await form.getByRole('button', { name: /Job profile/ }).click()
  await staff.getByRole('option', { name }).click()
  const { totalRecords } = await api.get<{ totalRecords: number }>(
    '/data-export/job-executions?limit=0&query=cql.allRecords=1',
  )
  await form.getByRole('button', { name: 'Export', exact: true }).click()
  const jobs = staff.getByRole('grid', { name: 'Exports' })
  // The newest is the first once it has its number.
  await expect(jobs.getByText('Done', { exact: true })).toHaveCount(totalRecords + 1, {
    timeout: 30_000,
  })
  const fetched = staff.waitForEvent('download')
  await jobs
    .getByRole('button', { name: /^Download/ })
    .first()
    .click()
  const text = await readFile(await (await fetched).path(), 'utf8')
  expect(text).toContain(`\u001fh${holdings?.hrid}`)
  const tags = text.slice(24, text.indexOf('\u001e')).match(/.{12}/g)
  expect(tags?.map((entry) => entry.slice(0, 3))).toContain('901')
  expect(tags?.map((entry) => entry.slice(0, 3))).not.toContain('245')
})
