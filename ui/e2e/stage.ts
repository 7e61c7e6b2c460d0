// What scenes share: a stage to play on, pages by their address, and what shows that they are there.
import type { Locator, Page } from '@playwright/test'
import { type Api, expect } from './fixtures'
import { purchases } from './purchases'

export interface Stage {
  page: Page
  api: Api
  scan: (barcode: string) => Promise<void>
}

export interface Scene {
  name: string
  open: (stage: Stage) => Promise<void>
  /** Why this server cannot show it; then it is skipped. */
  needs?: (api: Api) => Promise<string | undefined>
  /** What a picture must have in view, where it is not at the top. */
  about?: (page: Page) => Locator
}

export const heading = async (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()

export const titleNamed = async (api: Api, words: string) => {
  const query = encodeURIComponent(`title all "${words}"`)
  const { instances } = await api.get<{ instances: { id: string }[] }>(
    `/search/instances?limit=1&query=${query}`,
  )
  return instances[0]?.id ?? ''
}

type Path = string | ((api: Api) => Promise<string>)

/** A page by its address, and what shows that it is there. */
export const at =
  (path: Path, there: (page: Page) => Promise<unknown>) =>
  async ({ page, api }: Stage) => {
    await page.goto(`/staff${typeof path === 'string' ? path : await path(api)}`)
    await there(page)
  }

export const anyRow = (page: Page) => expect(page.getByRole('row').nth(2)).toBeVisible()
export const firstRow = (page: Page) => expect(page.getByRole('row').nth(1)).toBeVisible()

/** A page of what was bought. */
export const bought = (path: string) => async (api: Api) => {
  await purchases(api)
  return path
}

export const lineOf = (more: string) => async (api: Api) => {
  const { birds } = await purchases(api)
  return `/orders/${birds.id}/lines/${birds.compositePoLines[0]?.id}${more}`
}
