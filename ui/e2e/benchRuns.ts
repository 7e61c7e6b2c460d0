// The published run as of other days and releases: a history of runs for the workbench's trends.
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'

export const REPORT = '../docs/reports/check-in-check-out-20-users'

interface Timed {
  p50_ms: number
  p95_ms: number
  p50_interval_ms: number[]
  p95_interval_ms: number[]
}

export interface Later {
  day: number
  version: string
  /** So many times the published times of its first workflow. */
  slower?: number
  users?: number
}

function fileOf({ day, version, slower = 1, users = 20 }: Later) {
  const run = JSON.parse(readFileSync(`${REPORT}/run.json`, 'utf8'))
  run.started_at = `2026-11-${day}T09:00:00Z`
  run.virtual_users = users
  run.name = null
  for (const fact of run.probed.infrastructure) if (fact[0] === 'server version') fact[1] = version
  const times = run.transactions[0].statistics as Timed
  times.p50_ms *= slower
  times.p95_ms *= slower
  times.p50_interval_ms = times.p50_interval_ms.map((one) => one * slower)
  times.p95_interval_ms = times.p95_interval_ms.map((one) => one * slower)
  return {
    name: `${day}.json`,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(run)),
  }
}

export async function openRuns(page: Page, runs: readonly Later[]) {
  for (const run of runs) {
    await page.goto('/staff/workbench?tab=reports')
    await page.getByLabel('Open the record of a run: run.json').setInputFiles(fileOf(run))
    await expect(page.getByRole('heading', { name: 'check-in-check-out', level: 1 })).toBeVisible()
  }
}
