// What every test has: a tenant of its worker's own, an administrator who is logged in at a desk, the
// server's API beside the browser, axe, a scanner; and what fails every test.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type Page } from '@playwright/test'
import { type Api, apiOf } from './api'
import { arrive } from './person'

export type { Api } from './api'
export { DESK, logIn, PASSWORD, USER } from './person'
export { expect }

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const GAP_MS = 5
/** A scanner lets a key go after one report of its bus. */
const SHORT_MS = 3

interface Fixtures {
  tenant: string
  api: Api
  /** Where `staff` begins. Most tests go to a page of their own: then none is loaded before it. */
  start: string | undefined
  /** The page, logged in, at the desk. */
  staff: Page
  /** Types as a scanner does: 5 ms a key, then Enter. */
  scan: (barcode: string) => Promise<void>
  /** The same without the end of a barcode. */
  halfScan: (figures: string) => Promise<void>
  /** Types by hand: each key is held, and the next comes later. */
  type: (text: string) => Promise<void>
  a11y: (state: string) => Promise<void>
  /** Messages of the console that a test expects. */
  allowed: RegExp[]
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  tenant: async ({}, use, info) => use(process.env.OCTAVO_E2E_TENANT ?? `e2e${info.parallelIndex}`),

  // biome-ignore lint/correctness/noEmptyPattern: see above.
  allowed: async ({}, use) => use([/status of 4(00|01|22)/]),

  start: [undefined, { option: true }],

  api: async ({ playwright, baseURL, tenant }, use) =>
    use(await apiOf(playwright, baseURL ?? '', tenant)),

  page: async ({ page, allowed }, use) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(`page: ${error.message}`))
    page.on('console', (message) => {
      const text = message.text()
      const isFault = message.type() === 'error' || /Content Security Policy/.test(text)
      if (isFault && !allowed.some((one) => one.test(text))) faults.push(`console: ${text}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
    })
    // The one thing that a reused context keeps.
    await page.context().setOffline(false)
    await use(page)
    expect(faults).toEqual([])
  },

  staff: async ({ page, baseURL, tenant, start }, use) => {
    await arrive(page.context(), baseURL ?? '', tenant)
    if (start) {
      await page.goto(start)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    await use(page)
  },

  scan: async ({ page }, use) => {
    await use(await scannerOf(page))
  },

  halfScan: async ({ page }, use) => {
    const send = await keyboardOf(page)
    await use((figures) => send([...figures], GAP_MS, SHORT_MS))
  },

  type: async ({ page }, use) => {
    const send = await keyboardOf(page)
    await use((text) => send([...text], 120, 60))
  },

  a11y: async ({ page }, use) =>
    use(async (state) => expect(await findings(page), state).toEqual([])),
})

/** What axe finds on the page as it is. */
export async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  // A colour on its way to another one is none that anybody reads.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((one) => one instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  )
  return page.evaluate(async (rules) => {
    const { axe } = window as unknown as {
      axe: { run: (root: Document, options: unknown) => Promise<{ violations: Violation[] }> }
    }
    const { violations } = await axe.run(document, {
      runOnly: { type: 'tag', values: rules },
      // What is right is not listed node by node.
      resultTypes: ['violations'],
      // Nodes are named by their HTML.
      selectors: false,
    })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
    )
  }, RULES)
}

interface Violation {
  id: string
  nodes: { html: string }[]
}

// Types as a scanner does.
export async function scannerOf(page: Page): Promise<(barcode: string) => Promise<void>> {
  const send = await keyboardOf(page)
  return (barcode) => send([...barcode, 'Enter'], GAP_MS, SHORT_MS)
}

/**
 * The same where it is measured when the page shows a key: each is sent when its time has come, so the browser's clock
 * and the keys' are one. For a machine that has nothing else to do.
 */
export async function timedScannerOf(page: Page): Promise<(barcode: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  return async (barcode) => {
    const sent: Promise<unknown>[] = []
    let due = performance.now()
    for (const key of [...barcode, 'Enter']) {
      const { press, release } = eventsOf(key)
      await until(due)
      sent.push(session.send('Input.dispatchKeyEvent', press))
      await until(due + SHORT_MS)
      sent.push(session.send('Input.dispatchKeyEvent', release))
      due += GAP_MS
    }
    await Promise.all(sent)
  }
}

/** More exact than a timer, which may come a key late. */
async function until(due: number) {
  while (performance.now() < due) await new Promise((resume) => setImmediate(resume))
}

function eventsOf(key: string) {
  const code =
    key === 'Enter' ? 'Enter' : /\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`
  const text = key === 'Enter' ? '\r' : key
  return {
    press: { type: 'keyDown', text, key, code },
    release: { type: 'keyUp', key, code },
  } as const
}

// A busy machine sends keys late: the times at which they are pressed and let go are given here, and no key waits for
// the answer to the one before. One clock for hand and scanner: quick scans run ahead of the real one.
let clock = 0

async function keyboardOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  return async (keys: string[], gap: number, held: number) => {
    clock = Math.max(clock + 1, Date.now() / 1000)
    const sent: Promise<unknown>[] = []
    for (const key of keys) {
      clock += gap / 1000
      const { press, release } = eventsOf(key)
      sent.push(
        session.send('Input.dispatchKeyEvent', { ...press, timestamp: clock }),
        session.send('Input.dispatchKeyEvent', { ...release, timestamp: clock + held / 1000 }),
      )
    }
    await Promise.all(sent)
  }
}
