// A picture of each scene: light, dark, 390 px wide, right to left.
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { small } from '../scripts/png.mjs'
import { test } from './fixtures'
import { change, plain } from './modes'
import { SCENES } from './scenes'

const FOLDER = resolve(
  process.env.OCTAVO_PICTURES ?? resolve(import.meta.dirname, '../../docs/staff-client'),
)
/** On a phone and right to left only what is worth its bytes in the repository. */
const ALSO = new Set(
  (
    process.env.OCTAVO_PICTURES_ALSO ??
    'check-in,check-out,inventory,instance,move-items,marc-editor,marc-authority,marc-holdings-editor,authorities,authority,authority-editor,order-edit,preferences,versions,import-mapping-form,report-drawer,workbench-events'
  ).split(','),
)
const BYTES_MAX = 150_000

async function shoot(page: Page, name: string, about?: Locator) {
  await about?.scrollIntoViewIfNeeded()
  // Nothing points at anything, and no cursor blinks.
  await page.mouse.move(0, 0)
  await page.evaluate(() => {
    if (document.activeElement?.tagName === 'MAIN') (document.activeElement as HTMLElement).blur()
  })
  await page.waitForTimeout(250)
  const picture = small(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(resolve(FOLDER, `${name}.png`), picture)
  if (picture.length > BYTES_MAX) throw new Error(`${name}.png has ${picture.length} bytes`)
}

async function looks(page: Page, name: string, about?: Locator) {
  await plain(page)
  await shoot(page, `${name}-light`, about)
  await page.emulateMedia({ colorScheme: 'dark' })
  await shoot(page, `${name}-dark`, about)
  if (!ALSO.has(name) && !ALSO.has('all')) return
  await plain(page)
  await page.setViewportSize({ width: 390, height: 844 })
  // As on a phone: larger parts, no keys.
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await shoot(page, `${name}-390`, about)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await session.detach()
  await plain(page)
  await change(page, { language: 'ar' })
  await shoot(page, `${name}-ar`, about)
  await plain(page)
}

test.beforeEach(({ allowed }) => void allowed.push(/status of 404/, /ERR_INTERNET_DISCONNECTED/))

test('login', async ({ page, tenant }) => {
  await page.goto(`/staff/login?tenant=${tenant}`)
  await page.getByLabel('Name').waitFor()
  await looks(page, 'login')
})

test('forgotten', async ({ page, tenant }) => {
  await page.goto(`/staff/login?tenant=${tenant}&forgot=true`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await looks(page, 'forgotten')
})

for (const { name, open, needs, about } of SCENES)
  test(name, async ({ staff, api, scan }) => {
    const lacking = await needs?.(api)
    test.skip(Boolean(lacking), lacking)
    await open({ page: staff, api, scan })
    await looks(staff, name, about?.(staff))
  })
