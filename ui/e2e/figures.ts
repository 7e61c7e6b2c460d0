// Figures of speed against a running server, printed as tables. LCP with an empty cache, as it is and on a
// processor four times slower; from a key or press to the next frame (INP) on the slower one; from the last letter
// of a search to its first rows. Places are found by their elements: to find them by role takes the page's own thread,
// slowed like all else, from what is measured. OCTAVO_FIGURES_ROUNDS, OCTAVO_FIGURES_WORDS (separated by commas).
import { loadavg } from 'node:os'
import type { Browser, Locator, Page } from '@playwright/test'
import { DESK, expect, PASSWORD, test, timedScannerOf, USER } from './fixtures'
import { interactionsOf, lcpOf, median, percentile, SLOWER, throttle, watch } from './vitals'

test.use({ start: '/staff/check-in' })

const ROUNDS = Number(process.env.OCTAVO_FIGURES_ROUNDS ?? 5)
const WORDS = (
  process.env.OCTAVO_FIGURES_WORDS ?? 'history,river,love,music,science,world,dictionary'
).split(',')
const SCANS = 20

type State = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>
type Row = Record<string, string | number>

const loads = () => loadavg()[0]?.toFixed(1) ?? ''
const round = (ms: number) => Math.round(ms)
const table = (title: string, rows: Row[]) => {
  console.log(`\n${title} (load of the machine ${loads()})`)
  console.table(rows)
}

async function atOnce(browser: Browser, state: State | undefined, baseURL: string | undefined) {
  const context = await browser.newContext({
    baseURL,
    storageState: state,
    viewport: { width: 1440, height: 900 },
    // An empty cache: no worker answers in place of the server.
    serviceWorkers: 'block',
  })
  await watch(context)
  return context.newPage()
}

const PAGES = [
  { name: 'log-in', path: '/staff/login?tenant=', there: 'Log in' },
  { name: 'check-in', path: '/staff/check-in', there: 'Check in' },
  { name: 'check-out', path: '/staff/check-out', there: 'Check out' },
  { name: 'inventory', path: '/staff/inventory', there: 'Inventory' },
]

test('largest paint', async ({ staff, browser, baseURL, tenant }) => {
  const state = await staff.context().storageState()
  const rows: Row[] = []
  for (const { name, path, there } of PAGES) {
    const row: Row = { page: name }
    for (const rate of [1, SLOWER]) {
      const times: number[] = []
      for (let turn = 0; turn < ROUNDS; turn += 1) {
        const isLogin = name === 'log-in'
        const page = await atOnce(browser, isLogin ? undefined : state, baseURL)
        if (rate > 1) await throttle(page, rate)
        await page.goto(isLogin ? path + tenant : path)
        await page.locator('h1', { hasText: there }).waitFor()
        times.push(await lcpOf(page))
        await page.context().close()
      }
      row[rate > 1 ? `LCP ms, CPU ÷ ${rate}` : 'LCP ms'] = round(median(times))
    }
    rows.push(row)
  }
  table(`Largest paint, empty cache, median of ${ROUNDS}`, rows)
})

test('interactions', async ({ staff, api, browser, baseURL, tenant }) => {
  const state = await staff.context().storageState()
  const { items } = await api.get<{ items: { barcode: string }[] }>(
    `/inventory/items?limit=${SCANS}&query=${encodeURIComponent('status.name==Available and barcode=3*')}`,
  )
  const { users } = await api.get<{ users: { barcode: string }[] }>(
    `/users?limit=1&query=${encodeURIComponent('active==true and barcode=2* and patronGroup=*')}`,
  )
  const barcodes = items.map(({ barcode }) => barcode)
  const rows: Row[] = []
  const measured = async (name: string, path: string, act: (page: Page) => Promise<void>) => {
    const page = await atOnce(browser, name === 'log-in' ? undefined : state, baseURL)
    await throttle(page)
    await page.goto(path)
    await page.locator('h1').waitFor()
    await act(page)
    const { count, p98, worst } = await interactionsOf(page)
    rows.push({ page: name, interactions: count, 'INP p98 ms': p98, 'worst ms': worst })
    await page.context().close()
  }
  await measured('log-in', `/staff/login?tenant=${tenant}`, async (page) => {
    await page.getByLabel('Name').pressSequentially(USER, { delay: 60 })
    await page.getByLabel('Password').pressSequentially(PASSWORD, { delay: 60 })
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor()
  })
  const scanned = async (page: Page, all: readonly string[]) => {
    const scan = await timedScannerOf(page)
    for (const barcode of all) {
      await scan(barcode)
      await page.waitForTimeout(100)
    }
    await expect(page.getByText(all.at(-1)?.slice(-4) ?? '').first()).toBeVisible()
    await page.waitForTimeout(2000)
  }
  await measured('check-in', '/staff/check-in', async (page) => {
    await scanned(page, barcodes)
    for (const key of ['?', 'Escape']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'In-house use only' }).click()
  })
  await measured('check-out', '/staff/check-out', async (page) => {
    await scanned(page, [users[0]?.barcode ?? '', ...barcodes.slice(0, SCANS / 2)])
    for (const key of ['d', 'Escape']) await page.keyboard.press(key)
  })
  await measured('inventory', '/staff/inventory', async (page) => {
    const field = page.getByRole('searchbox').last()
    await field.pressSequentially(`${WORDS[0]} `, { delay: 80 })
    const rows = page.locator('tbody tr[data-key]')
    await rows.nth(1).waitFor()
    await rows.first().click({ position: { x: 600, y: 10 } })
    await page.waitForURL(/inventory\/[0-9a-f-]{36}/)
    await page.goBack()
    await rows.nth(1).waitFor()
    for (let turn = 0; turn < 10; turn += 1) await page.keyboard.press('ArrowDown')
    await page.getByRole('checkbox').first().click()
  })
  // What was lent is given back.
  const { servicepoints } = await api.get<{ servicepoints: { id: string; name: string }[] }>(
    '/service-points?limit=100',
  )
  for (const itemBarcode of barcodes.slice(0, SCANS / 2))
    await api.post('/circulation/check-in-by-barcode', {
      itemBarcode,
      servicePointId: servicepoints.find(({ name }) => name === DESK)?.id,
      checkInDate: new Date().toISOString(),
    })
  table(`From a key or press to the next frame, CPU ÷ ${SLOWER}`, rows)
})

test('search', async ({ staff, api }) => {
  const { totalRecords } = await api.get<{ totalRecords: number }>(
    `/search/instances?limit=1&query=${encodeURIComponent('cql.allRecords=1')}`,
  )
  await staff.goto('/staff/inventory')
  const field = staff.getByRole('searchbox').last()
  const rows: Row[] = []
  const all: number[] = []
  // Each word once: a second answer would come from the client's cache.
  for (const word of WORDS) {
    // From another list, so that this one is a change whatever the last letter adds.
    await field.fill('zzz')
    await staff.waitForTimeout(1500)
    const time = await untilRows(staff, field, word)
    all.push(time)
    rows.push({ word, 'first rows ms': round(time) })
  }
  all.sort((one, other) => one - other)
  rows.push({ word: 'median', 'first rows ms': round(median(all)) })
  rows.push({ word: 'p95', 'first rows ms': round(percentile(all, 0.95)) })
  table(`From the last letter to the first rows, ${totalRecords.toLocaleString('en')} titles`, rows)
})

/** Between two letters of a quick typist: the answers to those before are on their way. */
const LETTER_MS = 150

/** Types a word; how long from its last letter until the list of its answer stands in the page. */
async function untilRows(page: Page, field: Locator, word: string): Promise<number> {
  await field.fill('')
  await field.pressSequentially(word.slice(0, -1), { delay: LETTER_MS })
  await page.waitForTimeout(LETTER_MS)
  await page.evaluate(() => {
    performance.clearResourceTimings()
    const since: Since = { key: 0, drawn: [] }
    Object.assign(window, { since })
    addEventListener('keydown', () => (since.key = performance.now()), {
      capture: true,
      once: true,
    })
    const ROW = 'tr, [role=row]'
    const isRow = (node: Node) =>
      node instanceof Element && (node.matches(ROW) || node.querySelector(ROW))
    const see = (changes: MutationRecord[]) => {
      if (!changes.some(({ addedNodes }) => [...addedNodes].some(isRow))) return
      requestAnimationFrame(() => since.drawn.push(performance.now()))
    }
    new MutationObserver(see).observe(document.querySelector('main') ?? document.body, {
      subtree: true,
      childList: true,
    })
  })
  await page.keyboard.press(word.slice(-1))
  // The rows of the letters before may still come: those that count are drawn after the answer to the whole word.
  // Where they are the same rows, none is drawn anew.
  const time = await page.waitForFunction((whole) => {
    const { key, drawn } = (window as unknown as { since: Since }).since
    const asked = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/search/instances?') && name.includes(whole))
      .at(-1) as PerformanceResourceTiming | undefined
    if (!key || !asked?.responseEnd) return 0
    const { responseEnd } = asked
    const rows = drawn.find((at) => at >= responseEnd)
    if (!rows && performance.now() < responseEnd + 500) return 0
    return (rows ?? responseEnd) - key
  }, word)
  return (await time.jsonValue()) as number
}

interface Since {
  key: number
  /** When rows stood in the page. */
  drawn: number[]
}
