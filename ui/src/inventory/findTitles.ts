// Titles whose words fit, for fields that look one up.
import { get } from '#/api/client'
import { quoted } from '#/api/cql'
import type { Option } from '#/ui/Lookup'

export async function findTitles(words: string, signal: AbortSignal): Promise<Option[]> {
  if (!words) return []
  const query = { query: `keyword all ${quoted(words)}`, limit: 20 }
  const { instances } = await get<{
    instances: { id: string; title: string; contributors?: { name: string }[] }[]
  }>('/search/instances', query, signal)
  return instances.map((one) => ({
    id: one.id,
    text: one.title,
    detail: one.contributors?.[0]?.name,
  }))
}
