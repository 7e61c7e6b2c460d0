// End-to-end tests against a real server. e2e/server.ts starts it; each worker has a tenant of its own.
import { defineConfig } from '@playwright/test'
import { CHROMIUM } from './e2e/browser'

const PORT = process.env.OCTAVO_E2E_PORT ?? '9377'

export default defineConfig({
  testDir: 'e2e',
  // All screens in all modes take some minutes: `npm run modes`.
  testIgnore: process.env.OCTAVO_E2E_MODES ? [] : ['**/modes.spec.ts'],
  fullyParallel: false,
  workers: Number(process.env.OCTAVO_E2E_WORKERS ?? 2),
  retries: process.env.CI ? 2 : 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  globalSetup: './e2e/server.ts',
  use: {
    baseURL: process.env.OCTAVO_E2E_URL ?? `http://127.0.0.1:${PORT}`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A recording takes a third of a test's time: `--trace on` for the one that fails.
    trace: 'on-first-retry',
    // The files that the worker would keep are some hundred for each test; offline.spec.ts has browsers of its own.
    serviceWorkers: 'block',
    // Emptied between tests, not made anew: cookies, stores, workers and scripts go, the files of the client and what the
    // browser made of them stay.
    reuseContext: true,
    launchOptions: {
      executablePath: CHROMIUM,
      args: ['--no-sandbox'],
    },
  },
})
