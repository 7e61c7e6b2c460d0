// What the tests of finance, invoices and organizations do to forms, lists and menus.
import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures'

/** The line of a record's facts or of its arithmetic. */
export const sumOf = (page: Page, name: string) =>
  page
    .getByRole('row', { name: new RegExp(`^\\W*${name}`) })
    .getByRole('cell')
    .last()

export async function act(grid: Locator, row: RegExp, name: string) {
  const page = grid.page()
  await grid
    .getByRole('row', { name: row })
    .getByRole('button', { name: /^Actions: / })
    .click()
  await page.getByRole('menuitem', { name }).click()
}

/** A choice of a list behind a button. */
export async function pick(page: Page, field: RegExp, option: string | RegExp) {
  await page.getByRole('button', { name: field }).click()
  await page.getByRole('option', { name: option, exact: typeof option === 'string' }).click()
}

/** Makes a record of settings, and is at its list again. */
export async function setUp(staff: Page, of: string, list: string, fill: () => Promise<void>) {
  await staff.goto(`/staff/settings?of=${of}&id=new`)
  await fill()
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: list, level: 1 })).toBeVisible()
}
