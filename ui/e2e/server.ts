// Starts one server for all tests, with a tenant for each worker. OCTAVO_E2E_URL names a running one
// instead; its tenants e2e0, e2e1 … must be there.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { FullConfig } from '@playwright/test'

const PASSWORD = 'admin-e2e-1'
const START_MS = 120_000

function program(): string {
  const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, '../../target')
  const choices = [process.env.OCTAVO_BIN, join(target, 'debug/octavo')]
  const found = choices.find((path) => path && existsSync(path))
  if (!found)
    throw new Error('no octavo program: run cargo build -p octavo-server, or set OCTAVO_BIN')
  return found
}

export default async function start(config: FullConfig) {
  if (process.env.OCTAVO_E2E_URL) return undefined
  const url = new URL(String(config.projects[0]?.use.baseURL))
  const data = mkdtempSync(join(tmpdir(), 'octavo-e2e-'))
  // Started as root, the server runs its database as another user, who has to reach the folder.
  chmodSync(data, 0o755)
  const env = { ...process.env, OCTAVO_DATA_DIR: data, OCTAVO_ADMIN_PASSWORD: PASSWORD }
  const octavo = program()
  const server = spawn(octavo, ['serve', '--listen', url.host], { env, stdio: 'ignore' })
  await answers(`${url.origin}/_/version`)
  for (let worker = 0; worker < config.workers; worker += 1) {
    execFileSync(octavo, ['tenant', 'create', `e2e${worker}`, '--sample'], { env, stdio: 'ignore' })
  }
  return async () => {
    const ended = new Promise((done) => server.once('exit', done))
    server.kill('SIGTERM')
    await ended
    rmSync(data, { recursive: true, force: true })
  }
}

async function answers(url: string) {
  const until = Date.now() + START_MS
  while (Date.now() < until) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resume) => setTimeout(resume, 200))
  }
  throw new Error(`the server did not answer at ${url}`)
}
