// The looks that every screen must bear, put on a page that is open already.
import type { Page } from '@playwright/test'

export interface Mode {
  name: string
  put: (page: Page) => Promise<void>
}

const WIDE = { width: 1440, height: 900 }

/** Back to the plain look: light, English, wide. */
export async function plain(page: Page) {
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', contrast: 'no-preference' })
  await page.setViewportSize(WIDE)
  await change(page, { theme: 'system', contrast: 'system', language: 'en' })
}

/** As another tab of the same person would change it. */
export async function change(page: Page, to: Record<string, string>) {
  await page.evaluate((wanted) => {
    const key = 'octavo.look'
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null')?.value
    const value = {
      theme: 'system',
      contrast: 'system',
      density: 'comfortable',
      language: 'en',
      profile: 'octavo',
      ...kept,
      ...wanted,
    }
    localStorage.setItem(key, JSON.stringify({ version: 1, value }))
    const { dataset } = document.documentElement
    if (value.contrast === 'more') dataset.contrast = 'more'
    else delete dataset.contrast
    window.dispatchEvent(new StorageEvent('storage', { key }))
  }, to)
  const { language } = to
  if (language)
    await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language)
}

export const MODES: readonly Mode[] = [
  { name: 'light', put: async () => undefined },
  { name: 'dark', put: (page) => page.emulateMedia({ colorScheme: 'dark' }) },
  { name: 'high contrast', put: (page) => change(page, { contrast: 'more' }) },
  {
    name: 'high contrast, dark',
    put: async (page) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await change(page, { contrast: 'more' })
    },
  },
  { name: 'forced colours', put: (page) => page.emulateMedia({ forcedColors: 'active' }) },
  { name: 'right to left', put: (page) => change(page, { language: 'ar' }) },
  { name: '320 px', put: (page) => page.setViewportSize({ width: 320, height: 640 }) },
  // Of 1440 by 900.
  { name: '200 %', put: (page) => page.setViewportSize({ width: 720, height: 450 }) },
]
