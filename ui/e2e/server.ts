// Starts one server for all tests, with a tenant for each worker. OCTAVO_E2E_URL names a running one
// instead; its tenants e2e0, e2e1 … must be there.
import type { FullConfig } from '@playwright/test'
import { Octavo } from './octavo'

export default async function start(config: FullConfig) {
  if (process.env.OCTAVO_E2E_URL) return undefined
  const url = new URL(String(config.projects[0]?.use.baseURL))
  const server = new Octavo(url.hostname, Number(url.port))
  await server.start()
  await Promise.all(
    Array.from({ length: config.workers }, (_, worker) => server.makeTenant(`e2e${worker}`)),
  )
  return () => server.stop()
}
