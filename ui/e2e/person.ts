// The administrator who works at the desk: logged in by the form once for all tests of a worker; each test then begins
// as that browser was left, with a session of its own.
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { PASSWORD as MADE } from './octavo'

// Pictures and measurements name a running server's own library and person.
export const USER = process.env.OCTAVO_E2E_USER ?? 'admin'
export const PASSWORD = process.env.OCTAVO_E2E_PASSWORD ?? MADE
export const DESK = 'Circ Desk 1'

type State = Awaited<ReturnType<BrowserContext['storageState']>>

const left = new Map<string, Promise<State>>()

export async function logIn(page: Page, tenant: string, path = '/staff/') {
  await page.goto(
    `/staff/login?tenant=${tenant}&next=${encodeURIComponent(path.replace('/staff', ''))}`,
  )
  await page.getByLabel('Name').fill(USER)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('navigation', { name: 'Main', exact: true })).toBeVisible()
}

export async function chooseDesk(page: Page) {
  await page
    .getByRole('button', { name: /^Choose a desk/ })
    .last()
    .click()
  await page.getByRole('option', { name: DESK, exact: true }).click()
  await page.getByRole('button', { name: 'Work here' }).click()
  await expect(page.getByRole('heading', { name: 'Check in', level: 1 })).toBeVisible()
}

/** Makes the context one in which the person is logged in and at the desk. */
export async function arrive(context: BrowserContext, origin: string, tenant: string) {
  const browser = context.browser()
  if (!browser) throw new Error('a context that stands alone')
  const key = `${origin} ${tenant}`
  const state = left.get(key) ?? atDesk(browser, origin, tenant)
  left.set(key, state)
  const { origins } = await state
  // Once: what a test changes, or a log-out takes away, stays so.
  await context.addInitScript(
    (kept) => {
      if (localStorage.getItem('octavo.tenant') === null)
        for (const { name, value } of kept) localStorage.setItem(name, value)
    },
    origins.flatMap(({ localStorage }) => localStorage),
  )
  // Not the session of the one before: a refresh token is good for one use, and a log-out ends it.
  const answer = await context.request.post('/authn/login-with-expiry', {
    headers: { 'X-Okapi-Tenant': tenant },
    data: { username: USER, password: PASSWORD },
  })
  expect(answer.status(), await answer.text()).toBe(201)
}

async function atDesk(browser: Browser, origin: string, tenant: string): Promise<State> {
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'en-GB',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await logIn(page, tenant)
  await chooseDesk(page)
  const state = await context.storageState()
  await context.close()
  return state
}
