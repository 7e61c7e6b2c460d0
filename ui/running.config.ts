// Against a running server: pictures of every screen (of the sample library, `octavo serve --demo`) and figures of
// speed (of any library). OCTAVO_URL names the server, OCTAVO_E2E_TENANT, _USER and _PASSWORD the person,
// OCTAVO_E2E_CLIENT a built client in place of the server's own.
import { defineConfig } from '@playwright/test'
import { CHROMIUM } from './e2e/browser'

process.env.OCTAVO_E2E_TENANT ??= 'diku'
process.env.OCTAVO_E2E_USER ??= 'diku_admin'
process.env.OCTAVO_E2E_PASSWORD ??= 'admin'
const SERVER = process.env.OCTAVO_URL ?? 'http://127.0.0.1:9130'
const FRONT = `http://127.0.0.1:${process.env.OCTAVO_E2E_PORT ?? '9379'}`

export default defineConfig({
  testDir: 'e2e',
  testMatch: ['pictures.ts', 'figures.ts'],
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 15_000 },
  reporter: [['line']],
  outputDir: 'test-results',
  globalSetup: './e2e/running.ts',
  metadata: { server: SERVER, front: FRONT },
  use: {
    baseURL: process.env.OCTAVO_E2E_CLIENT ? FRONT : SERVER,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    launchOptions: {
      executablePath: CHROMIUM,
      args: ['--no-sandbox'],
    },
  },
})
