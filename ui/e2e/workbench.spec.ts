// The workbench: what the server says of itself, one request traced, a profile, timers, jobs, the audit log, reports.
import type { Page } from '@playwright/test'
import { openRuns, REPORT } from './benchRuns'
import { type Api, expect, PASSWORD, test } from './fixtures'
import { makePatron } from './items'
import { importJob } from './scenes'

test.beforeEach(({ allowed }) => void allowed.push(/status of (403|404)/))

const open = async (page: Page, tab: string, heading: string) => {
  await page.goto(`/staff/workbench?tab=${tab}`)
  await expect(page.getByRole('heading', { name: heading, level: 2 })).toBeVisible()
}

test('a search without an index is told with what it lacks; the index is built and dropped', async ({
  staff,
  api,
  a11y,
}) => {
  const advice = staff.getByRole('grid', { name: 'Searches that lack an index' })
  for (const number of ['one', 'two'])
    await api.get(`/item-storage/items?query=copyNumber==%22${number}%22`)
  await staff.goto('/staff/check-in')
  await staff.getByRole('link', { name: 'Workbench' }).first().click()
  // The server stores what it counted every few seconds.
  await expect(async () => {
    await staff.reload()
    await expect(advice).toContainText('copyNumber == ?', { timeout: 2000 })
  }).toPass({ timeout: 30_000 })
  const row = advice.getByRole('row').filter({ hasText: 'copyNumber' })
  await expect(row).toContainText('index item copyNumber')
  await expect(staff.getByText('All reads go to the one database.')).toBeVisible()
  await expect(staff.getByText('Nobody passes this library’s events on to Kafka.')).toBeVisible()
  const slow = staff.getByRole('grid', { name: 'Who is slow' })
  await expect(slow).toContainText('GET /item-storage/items')
  await a11y('at a glance')
  await row.getByRole('button', { name: /^Build index: copyNumber/ }).click()
  const card = staff.getByRole('form', { name: /^Build the index for/ })
  await a11y('before an index is built')
  await card.getByRole('button', { name: 'Build index' }).press('Enter')
  await expect(card).toHaveCount(0)
  await expect(row).toHaveCount(0, { timeout: 30_000 })
  await staff.getByRole('link', { name: 'Indexes' }).click()
  const list = staff.getByRole('grid', { name: 'Indexes' })
  const made = list.getByRole('row').filter({ hasText: 'item_copynumber_idx' })
  await expect(made).toContainText('Made here')
  await a11y('indexes')
  await made.getByRole('button', { name: /^Drop… item_copynumber/i }).click()
  const drop = staff.getByRole('form', { name: /^Drop the index/ })
  await a11y('before an index is dropped')
  await drop.getByRole('button', { name: 'Drop…' }).click()
  await expect(made).toHaveCount(0)
  await staff.getByText('All', { exact: true }).click()
  await expect(list).toContainText('item_barcode_idx_unique')
})

test('one request is traced down to its statements, and its address is kept', async ({
  staff,
  a11y,
}) => {
  await open(staff, 'trace', 'One request')
  await staff.getByLabel('Path of a GET request').fill('/item-storage/items?limit=3')
  await staff.keyboard.press('Enter')
  await expect(staff).toHaveURL(/trace=[0-9a-f-]{36}/)
  const stages = staff.getByRole('group', { name: 'Stages of the request' })
  await expect(stages).toContainText('handler')
  await expect(stages).toContainText(/SELECT .* FROM/)
  await expect(stages).toContainText('3 rows')
  await expect(
    staff.getByRole('paragraph').filter({ hasText: 'GET /item-storage/items' }),
  ).toBeVisible()
  await a11y('a trace')
  await staff.reload()
  await expect(staff.getByLabel('Path of a GET request')).toHaveValue('/item-storage/items?limit=3')
  await expect(stages).toContainText('3 rows')
  await expect(staff.getByRole('grid', { name: 'Last traces' })).toContainText(
    'GET /item-storage/items',
  )
  await staff.getByLabel('Path of a GET request').fill('//elsewhere.example/')
  await expect(staff.getByText('Type a path that begins with one slash.').first()).toBeVisible()
  await staff.getByLabel('Path of a GET request').fill('/no-such/route')
  await staff.keyboard.press('Enter')
  await expect(staff.getByText('Not done').first()).toBeVisible()
})

test('a profile of the busy server names its functions', async ({ staff, api, a11y }) => {
  await open(staff, 'profile', 'Profile')
  await staff.getByRole('button', { name: /^Seconds|Seconds$/ }).click()
  await staff.getByRole('option', { name: '3', exact: true }).click()
  await staff.getByRole('button', { name: 'Take a profile' }).click()
  await expect(staff.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  const flame = staff.getByRole('img', { name: /^All stacks/ })
  for (let turn = 0; turn < 200 && !(await flame.isVisible()); turn += 1)
    await api.get('/item-storage/items?limit=500')
  await expect(flame).toBeVisible({ timeout: 30_000 })
  const functions = staff.getByRole('region', { name: 'Functions by their own share' })
  await expect(functions.getByRole('row').nth(1)).toContainText('%')
  await a11y('a profile')
})

test('a timer runs more seldom, and then as its module wants again', async ({
  staff,
  api,
  tenant,
  a11y,
}) => {
  const id = 'mod-circulation_0'
  const entry = async () =>
    await api.get<{ routingEntry: { unit?: string; delay?: string }; modified?: boolean }>(
      `/_/proxy/tenants/${tenant}/timers/${id}`,
    )
  const before = (await entry()).routingEntry
  await open(staff, 'timers', 'Timers')
  const name = '/circulation/loan-scheduled-notices-processing'
  const row = staff.getByRole('row').filter({ hasText: name })
  await a11y('timers')
  await row.getByRole('button', { name: `Change: ${name}` }).click()
  const card = staff.getByRole('form', { name: `Change how often ${name} runs?` })
  await card.getByLabel('Every').fill('0')
  await expect(card).toContainText('Type a whole number above zero.')
  await card.getByLabel('Every').fill('7')
  await a11y('a timer is changed')
  await staff.keyboard.press('Enter')
  await expect(row).toContainText('Every 7 minutes')
  await expect(row).toContainText('Changed')
  expect((await entry()).routingEntry).toMatchObject({ unit: 'minute', delay: '7' })
  await row.getByRole('button', { name: `Change: ${name}` }).click()
  await card.getByRole('button', { name: 'Back to the module’s own' }).click()
  await expect(row).not.toContainText('Changed')
  expect(await entry()).toMatchObject({ routingEntry: before })
})

test('a job appears and leads to its page', async ({ staff, api, scan, a11y }) => {
  await importJob({ page: staff, api, scan })
  await open(staff, 'jobs', 'Jobs')
  const row = staff.getByRole('row').filter({ hasText: 'harbour.mrc' }).first()
  await expect(row).toContainText('Done, with faults')
  await a11y('jobs')
  await row.getByRole('link').click()
  await expect(staff.getByRole('heading', { name: 'harbour.mrc', level: 1 })).toBeVisible()
})

test('a log-in that failed stands in the audit log, found by its kind', async ({
  staff,
  playwright,
  baseURL,
  tenant,
  a11y,
}) => {
  const stranger = await playwright.request.newContext({ baseURL })
  await stranger.post('/authn/login', {
    headers: { 'X-Okapi-Tenant': tenant },
    data: { username: 'admin', password: 'not this one' },
  })
  await stranger.dispose()
  await open(staff, 'audit', 'Audit log')
  await staff.getByRole('button', { name: /Kind/ }).click()
  await staff.getByRole('option', { name: 'Log-in failed' }).click()
  const log = staff.getByRole('grid', { name: 'Audit log' })
  await expect(log).toContainText('wrong password')
  await expect(log).not.toContainText('Logged in')
  await expect(staff).toHaveURL(/kind=log-in-failed/)
  await a11y('the audit log')
})

test('a report is opened from its file, drawn, compared and kept', async ({ staff, a11y }) => {
  await open(staff, 'reports', 'Measure this library')
  const command = staff.getByRole('region', { name: 'The command that runs it' })
  await staff.getByLabel('Users at once').fill('7')
  await staff.getByText('By the program instead').click()
  await expect(command).toContainText(
    /octavo workload run check-in-check-out --url \S+ --tenant e2e\d --user admin --virtual-users 7 /,
  )
  await a11y('no run opened yet')
  const file = staff.getByLabel('Open the record of a run: run.json')
  await file.setInputFiles({
    name: 'x.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{'),
  })
  await expect(staff.getByText('The file is not JSON.')).toBeVisible()
  await file.setInputFiles({
    name: 'report.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"report_format": 1}'),
  })
  await expect(staff.getByText(/Open run.json beside it/)).toBeVisible()
  await file.setInputFiles(`${REPORT}/run.json`)
  await expect(staff.getByRole('heading', { name: 'check-in-check-out', level: 1 })).toBeVisible()
  // What the workbench's own report says of this run.
  await expect(staff.getByText('13,091 requests', { exact: true })).toBeVisible()
  const chart = staff.getByRole('img', { name: /Check-In Controller: the median is 10.4 ms/ })
  await expect(chart).toBeVisible()
  await a11y('a report')
  await staff.getByText('The figures as a table').click()
  await expect(staff.getByRole('row').filter({ hasText: '0:00' })).toBeVisible()
  await staff.getByRole('button', { name: /Beside/ }).click()
  await staff.getByRole('option', { name: 'FOLIO, Nolana', exact: true }).click()
  const beside = staff.getByRole('region', { name: 'Beside other figures' })
  const median = beside.getByRole('row').filter({ hasText: 'Check-In Controller' }).first()
  await expect(median).toContainText('414 ms')
  await expect(median).toContainText('39.7 times faster')
  await expect(staff).toHaveURL(/folio=Nolana/)
  await staff.getByRole('radio', { name: 'Check-Out Controller' }).click()
  await expect(staff.getByRole('img', { name: /Check-Out Controller/ })).toBeVisible()
  await staff.reload()
  await expect(staff.getByRole('img', { name: /Check-Out Controller/ })).toBeVisible()
  await expect(median).toContainText('414 ms')
  await staff.goto('/staff/workbench?tab=reports')
  await staff
    .getByRole('grid', { name: 'Runs' })
    .getByRole('button', { name: /Actions/ })
    .click()
  await staff.getByRole('menuitem', { name: 'Remove from this browser' }).click()
  await expect(staff.getByText('No run was opened yet')).toBeVisible()
})

test('trends show the runs of one load with their versions, and mark what became slower', async ({
  staff,
  a11y,
}) => {
  await openRuns(staff, [
    { day: 22, version: '0.1.0' },
    { day: 23, version: '0.1.1', slower: 1.02 },
    { day: 24, version: '0.2.0', slower: 1.5 },
    { day: 25, version: '0.2.0', slower: 9, users: 50 },
  ])
  await staff.goto('/staff/workbench?tab=trends&workload=check-in-check-out')
  await expect(staff.getByText('One run is no trend yet')).toBeVisible()
  await staff.getByRole('button', { name: /Load/ }).click()
  await staff.getByRole('option', { name: '20 users · with pauses' }).click()
  const last = staff.getByRole('region', { name: /^The last run/ }).first()
  await expect(last).toContainText('1 figure is slower, nothing is faster.')
  const slower = last.getByRole('row').filter({ hasText: 'Check-In Controller' })
  await expect(slower.first()).toContainText('47.1% slower')
  const chart = staff.getByRole('img', { name: /Check-In Controller: median 15\.6 ms/ })
  await expect(chart).toHaveAccessibleName(/last of 3 runs; 1 mark of a slower run/)
  // The p95 of 175 samples may be chance. The version stands beside each point, the mark above the one that became slower.
  await expect(chart.getByText('0.1.1')).toBeVisible()
  await expect(chart.getByText('+47%')).toHaveCount(1)
  const runs = staff.getByRole('grid', { name: 'Runs: Check-In Controller' })
  await expect(runs.getByRole('row').nth(1)).toContainText('0.2.0')
  await expect(runs.getByRole('row').nth(1)).toContainText('slower')
  await expect(runs.getByRole('row').nth(2)).toContainText('+2%')
  await expect(runs.getByRole('row').nth(2)).not.toContainText('slower')
  await a11y('trends')
  await staff.getByRole('button', { name: /Workflow or request/ }).click()
  await staff.getByRole('option', { name: 'Check-Out Controller', exact: true }).click()
  await expect(staff.getByRole('img', { name: /Check-Out Controller.*none slower/ })).toBeVisible()
  await expect(staff).toHaveURL(/of=Check-Out/)
  await staff.reload()
  await expect(staff.getByRole('img', { name: /Check-Out Controller/ })).toBeVisible()
  await staff.getByRole('radio', { name: 'Requests a second' }).click()
  await expect(
    staff.getByRole('img', { name: 'Requests a second: 109 in the last of 3 runs.' }),
  ).toBeVisible()
  await runs
    .or(staff.getByRole('grid', { name: /^Runs/ }))
    .first()
    .getByRole('link')
    .first()
    .click()
  await expect(staff.getByText('13,091 requests', { exact: true })).toBeVisible()
})

test('a measurement is started with the password, seen while it runs, stopped, and compared', async ({
  staff,
  a11y,
}) => {
  test.setTimeout(120_000)
  await open(staff, 'reports', 'Measure this library')
  await staff.getByRole('button', { name: /Workload/ }).click()
  await staff.getByRole('option', { name: 'Items by barcode' }).click()
  await staff.getByLabel('Users at once').fill('2')
  await staff.getByLabel('Minutes').fill('5')
  const start = staff.getByRole('button', { name: 'Start', exact: true })
  await expect(start).toHaveAccessibleDescription('Type your password first')
  await staff.getByLabel('Password of admin').fill('not this one')
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('status').or(staff.getByRole('alert')).first()).toContainText(
    /Failed|Not done/,
    { timeout: 30_000 },
  )
  await open(staff, 'reports', 'Measure this library')
  await staff.getByRole('button', { name: /Workload/ }).click()
  await staff.getByRole('option', { name: 'Items by barcode' }).click()
  await staff.getByLabel('Users at once').fill('2')
  await staff.getByLabel('Minutes').fill('5')
  await staff.getByLabel('Password of admin').fill(PASSWORD)
  await staff.keyboard.press('Enter')
  await expect(staff.getByRole('heading', { name: 'get-items', level: 1 })).toBeVisible()
  const progress = staff.getByRole('region', { name: 'Progress' })
  await expect(progress).toContainText('Running')
  await expect(staff.getByRole('img', { name: /requests a second at/ })).toBeVisible({
    timeout: 30_000,
  })
  await a11y('a measurement that runs')
  await staff.getByRole('button', { name: 'Stop…' }).click()
  await staff.getByRole('button', { name: 'Stop the measurement' }).click()
  await expect(progress).toContainText('Stopped', { timeout: 30_000 })
  await expect(staff.getByRole('region', { name: 'Beside other figures' })).toContainText('faster')
  await a11y('a measurement that was stopped')
  await staff.goto('/staff/workbench?tab=reports')
  await expect(staff.getByRole('grid', { name: 'Measurements of this server' })).toContainText(
    'get-items',
  )
  await staff.goto('/staff/workbench?tab=trends&workload=get-items')
  const measured = staff.getByRole('grid', { name: /^Runs: GET inventory\/items/ })
  await expect(measured.getByRole('row').nth(1)).toContainText(/\d+\.\d+\.\d+/)
})

test('who lacks a permission sees which one', async ({ page, api, tenant, a11y }) => {
  const user = await limited(api)
  await page.goto(`/staff/login?tenant=${tenant}&next=/workbench`)
  await page.getByLabel('Name').fill(user)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('heading', { name: 'Workbench', level: 1 })).toBeVisible()
  await expect(page.getByText(/octavo\.index-advice\.collection\.get/)).toBeVisible()
  await expect(page.getByText(/octavo\.readers\.collection\.get/)).toBeVisible()
  await a11y('without permissions')
  await page.getByRole('link', { name: 'One request' }).first().click()
  await expect(page.getByRole('button', { name: 'Send and trace' })).toHaveAccessibleDescription(
    'Needs the permission octavo.trace.get',
  )
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Take a profile' })).toHaveAccessibleDescription(
    'Needs the permission octavo.profile.get',
  )
})

/** A person of the desk, who has no part in the running of the server. */
async function limited(api: Api): Promise<string> {
  const { id, username } = (await makePatron(api, 'Pult')) as unknown as {
    id: string
    username: string
  }
  await api.post('/authn/credentials', { userId: id, username, password: PASSWORD })
  await api.post('/perms/users', {
    userId: id,
    permissions: ['circulation.check-in-by-barcode.post', 'users-bl.item.get', 'perms.users.get'],
  })
  return username
}
