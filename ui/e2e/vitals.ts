// What a person feels, measured in the page: the largest paint, and from each key or press to the next frame.
import type { BrowserContext, Page } from '@playwright/test'

export const SLOWER = 4

declare global {
  interface Window {
    vitals: { lcp: number; events: Map<number, number> }
  }
}

/** Collects in every page of the context from its beginning. */
export const watch = (context: BrowserContext) =>
  context.addInitScript(() => {
    window.vitals = { lcp: 0, events: new Map() }
    const observe = (type: string, see: (entry: PerformanceEntry) => void, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({
        type,
        buffered: true,
        ...more,
      })
    observe('largest-contentful-paint', (entry) => {
      window.vitals.lcp = entry.startTime
    })
    observe(
      'event',
      (entry) => {
        const { interactionId } = entry as PerformanceEventTiming
        const { events } = window.vitals
        if (interactionId)
          events.set(interactionId, Math.max(entry.duration, events.get(interactionId) ?? 0))
      },
      { durationThreshold: 16 },
    )
  })

export async function throttle(page: Page, rate = SLOWER) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

export const lcpOf = async (page: Page) => {
  await page.waitForTimeout(500)
  return page.evaluate(() => window.vitals.lcp)
}

export interface Interactions {
  count: number
  p98: number
  worst: number
}

/** Those below 16 ms are not told one by one; they count as 8. */
export async function interactionsOf(page: Page): Promise<Interactions> {
  await page.waitForTimeout(500)
  const { slow, count } = await page.evaluate(() => ({
    slow: [...window.vitals.events.values()],
    count: (performance as Performance & { interactionCount?: number }).interactionCount ?? 0,
  }))
  const all = [...slow, ...Array(Math.max(0, count - slow.length)).fill(8)].sort((a, b) => a - b)
  return { count: all.length, p98: percentile(all, 0.98), worst: all.at(-1) ?? 0 }
}

export const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0

export const median = (values: readonly number[]) =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  )
