// Puts a built client before the running server.
import type { FullConfig } from '@playwright/test'
import { startFront } from './front'

export default async function start({ metadata }: FullConfig) {
  const client = process.env.OCTAVO_E2E_CLIENT
  if (!client) return undefined
  const front = await startFront(String(metadata.front), String(metadata.server), client)
  return () => front.close()
}
