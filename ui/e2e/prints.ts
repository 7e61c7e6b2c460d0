// The browser's own print dialog is one that no test can answer: what would be printed is kept instead.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

/** What is printed, in place of the browser's own dialog, which no test can answer. */
export async function catchPrints(page: Page) {
  await page.addInitScript(() => {
    const prints: string[] = []
    Object.assign(window, { prints })
    window.print = () => {
      prints.push(document.getElementById('print')?.innerText ?? '')
      window.dispatchEvent(new Event('afterprint'))
    }
  })
  return () => page.evaluate(() => (window as unknown as { prints: string[] }).prints)
}

/** What an act saves as a file. */
export async function saved(page: Page, act: () => Promise<void>) {
  const file = page.waitForEvent('download')
  await act()
  const download = await file
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}
