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
