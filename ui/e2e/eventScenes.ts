// The workbench's overview where events are passed on to Kafka: only of a server that does so (`octavo serve --kafka`, with the
// broker of scripts/kafka.sh where there is none). Events above --kafka-message-bytes are seen as those that Kafka never takes.
import { type Api, expect } from './fixtures'
import { heading, type Scene, type Stage } from './stage'

/** By its id: pictures are in other languages, too. */
const events = (page: Stage['page']) => page.locator('[aria-labelledby="bench-events"]')

async function passing(api: Api) {
  const { configured } = await api.get<{ configured?: boolean }>('/_/octavo/relay')
  return configured ? undefined : 'the server passes no events on to Kafka'
}

async function overview({ page, api }: Stage) {
  const { instances } = await api.get<{ instances: { id: string }[] }>(
    '/instance-storage/instances?limit=1',
  )
  const path = `/instance-storage/instances/${instances[0]?.id}`
  await api.put(path, await api.get<object>(path))
  await page.goto('/staff/workbench')
  await heading(page, 'Workbench')
  await expect(events(page)).toContainText('Up to date', { timeout: 30_000 })
}

export const EVENT_SCENES: readonly Scene[] = [
  { name: 'workbench-events', open: overview, needs: passing, about: events },
]
