// The offline desk, against a server of its own that is killed and started again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { CHROMIUM } from './browser'
import { type Api, test as base, DESK, expect, logIn, scannerOf } from './fixtures'
import { type Item, makeItem, makePatron } from './items'
import { Octavo, program } from './octavo'

const TENANT = 'e2e0'
const PORT = 60
const MANY = 50

interface Fixtures {
  api: Api
  /** A browser whose storage outlives it. */
  open: () => Promise<Page>
  close: () => Promise<void>
}

const test = base.extend<Fixtures, { server: Octavo }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use, info) => {
      const port = Number(process.env.OCTAVO_E2E_PORT ?? '9377') + PORT + info.parallelIndex
      const server = new Octavo('127.0.0.1', port)
      await server.start()
      await server.makeTenant(TENANT)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  tenant: async ({ server }, use) => use(server ? TENANT : ''),
  open: async ({ server }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-browser-'))
    let context: BrowserContext | undefined
    await use(async () => {
      await context?.close()
      context = await chromium.launchPersistentContext(folder, {
        executablePath: CHROMIUM,
        args: ['--no-sandbox'],
        baseURL: server.origin,
        viewport: { width: 1440, height: 900 },
        locale: 'en-GB',
        timezoneId: 'UTC',
        serviceWorkers: 'allow',
      })
      return context.pages()[0] ?? (await context.newPage())
    })
    await context?.close()
    rmSync(folder, { recursive: true, force: true })
  },
})

test.skip(!program(), 'needs a program that it can end')
test.setTimeout(240_000)

/** Logged in, at the desk, and the shell kept by the service worker. */
async function atDesk(page: Page): Promise<void> {
  await logIn(page, TENANT, '/staff/desk')
  await page
    .getByRole('button', { name: /^Choose a desk/ })
    .last()
    .click()
  await page.getByRole('option', { name: DESK, exact: true }).click()
  await page.getByRole('button', { name: 'Work here' }).click()
  await page.getByRole('link', { name: 'Check out' }).first().click()
  await expect(page.getByRole('heading', { name: 'Check out', level: 1 })).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready)
}

async function loansOf(api: Api, userId: string) {
  const query = encodeURIComponent(`userId==${userId} sortby loanDate`)
  const path = `/loan-storage/loans?limit=200&query=${query}`
  const { loans } = await api.get<{
    loans: { itemId: string; loanDate: string; returnDate?: string }[]
  }>(path)
  return loans
}

test('50 check-outs offline, browser closed, server killed in the middle of the upload: each once', async ({
  server,
  api,
  open,
}) => {
  const patron = await makePatron(api, 'Sturm')
  const items: Item[] = []
  for (let at = 0; at < MANY; at += 1) items.push(await makeItem(api))
  let page = await open()
  await atDesk(page)

  await server.kill()
  const scan = await scannerOf(page)
  const started = Date.now()
  await scan(patron.barcode)
  for (const { barcode } of items) await scan(barcode)
  await expect(page.getByText(/^Offline since/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(`${MANY} scans kept`)).toBeVisible()
  const ended = Date.now()

  // The browser is closed and opened while the server is away: the client opens by itself.
  page = await open()
  await page.goto('/staff/check-out')
  await expect(page.getByText(`${MANY} scans kept`)).toBeVisible({ timeout: 30_000 })

  // Killed again as soon as some have been sent.
  let sent = 0
  page.on('request', (request) => {
    // Octavo's own route, or FOLIO's where the program has none.
    if (!/\/(desk\/check-out|check-out-by-barcode)$/.test(request.url())) return
    sent += 1
    if (sent === 10) void server.kill()
  })
  await server.start()
  await expect.poll(() => sent, { timeout: 60_000 }).toBeGreaterThanOrEqual(10)
  await expect(page.getByText(/^Offline since/)).toBeVisible({ timeout: 30_000 })
  await server.start()
  await page.goto('/staff/offline?show=kept')
  await expect(page.getByText('Nothing waits').first()).toBeVisible({ timeout: 90_000 })

  const loans = await loansOf(api, patron.id)
  expect(loans.map(({ itemId }) => itemId)).toEqual(items.map(({ id }) => id))
  for (const { loanDate } of loans) {
    expect(Date.parse(loanDate)).toBeGreaterThanOrEqual(started - 1000)
    expect(Date.parse(loanDate)).toBeLessThanOrEqual(ended)
  }
})

test('what the server refuses is worked off: overridden with a comment, or dropped with a reason', async ({
  server,
  api,
  open,
}) => {
  const [blocked, other] = [await makePatron(api, 'Gesperrt'), await makePatron(api, 'Andere')]
  const [first, second] = [await makeItem(api), await makeItem(api)]
  await api.post('/manualblocks', {
    type: 'Manual',
    desc: 'Owes a visit',
    userId: blocked.id,
    borrowing: true,
    renewals: false,
    requests: false,
  })
  const page = await open()
  const listed = page.waitForResponse((answer) => /\/users\?query=id/.test(answer.url()))
  await atDesk(page)
  await listed
  await server.kill()
  const scan = await scannerOf(page)
  for (const barcode of [blocked.barcode, first.barcode]) await scan(barcode)
  await expect(page.getByText(/^Offline since/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('1 scan kept')).toBeVisible()
  // The list of blocked cards was kept while the server was there; it warns, and the server decides.
  const side = page.getByRole('complementary', { name: 'Patron' })
  await expect(side).toContainText('This card may not borrow')
  await expect(side).toContainText('Owes a visit')
  await page.keyboard.press('Escape')
  for (const barcode of [other.barcode, '999000111']) await scan(barcode)
  await expect(page.getByText('2 scans kept')).toBeVisible()
  await server.start()
  await page.getByRole('link', { name: /^Offline desk/ }).click()
  const rows = page.locator('li[data-state="refused"]')
  await expect(rows).toHaveCount(2, { timeout: 60_000 })

  const card = rows.filter({ hasText: first.barcode })
  await card.getByRole('button', { name: 'Lend all the same' }).click()
  await expect(card).toContainText('Type why.')
  await card.getByLabel('Comment').fill('came by on Monday')
  await card.getByRole('button', { name: 'Lend all the same' }).click()
  await expect(rows).toHaveCount(1)
  await expect.poll(async () => (await loansOf(api, blocked.id)).length).toBe(1)

  await rows.getByRole('button', { name: 'Drop…' }).click()
  await page.getByLabel('Why it is not done').fill('misread barcode')
  await page.getByRole('button', { name: 'Drop it' }).click()
  await expect(page.getByText('Nothing to work off')).toBeVisible()
  expect(await loansOf(api, other.id)).toHaveLength(0)
  expect(second.status.name).toBe('Available')
})

test('returns lie aside with their dates until somebody checks them in', async ({
  server,
  api,
  open,
}) => {
  const patron = await makePatron(api, 'Bringt')
  const item = await makeItem(api)
  const page = await open()
  await atDesk(page)
  const scan = await scannerOf(page)
  await scan(patron.barcode)
  await scan(item.barcode)
  await expect(page.locator('li[data-state="done"]')).toHaveCount(1)
  await page.getByRole('link', { name: 'Check in' }).first().click()
  await expect(page.getByRole('heading', { name: 'Check in', level: 1 })).toBeVisible()
  await server.kill()
  await scan(item.barcode)
  await expect(page.getByText(/^Offline since/)).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('li[data-state="aside"]')).toHaveCount(1)
  const before = Date.now()
  await server.start()
  await expect(page.getByText(/^Offline since/)).toHaveCount(0, { timeout: 30_000 })
  await page.getByRole('link', { name: /^Offline desk/ }).click()
  await page.getByRole('button', { name: 'Check in 1 return' }).click()
  await expect(page.locator('li[data-state="accepted"]').first()).toContainText('Shelve', {
    timeout: 30_000,
  })
  const returned = async () => (await loansOf(api, patron.id))[0]?.returnDate ?? ''
  await expect.poll(returned).not.toBe('')
  expect(Date.parse(await returned())).toBeLessThanOrEqual(before)
})
