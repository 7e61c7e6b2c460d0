// Where the library counts printed slips (FOLIO's setting "printEventLogFeature"), each print is noted with its
// requests: they then show how often, when and by whom.
import { get, post } from '#/api/client'
import { equals } from '#/api/cql'

interface Setting {
  value?: { enablePrintLog?: boolean | string }
}

/** So many requests in one call: each of them is changed. */
const AT_ONCE = 1000

async function isCounted(): Promise<boolean> {
  const { circulationSettings } = await get<{ circulationSettings: Setting[] }>(
    '/circulation/settings',
    { query: equals('name', 'printEventLogFeature'), limit: 1 },
  )
  return String(circulationSettings[0]?.value?.enablePrintLog) === 'true'
}

export async function notePrinted(
  requestIds: readonly string[],
  by: { id: string; name: string },
): Promise<void> {
  if (!requestIds.length || !(await isCounted())) return
  for (let from = 0; from < requestIds.length; from += AT_ONCE)
    await post('/circulation/print-events-entry', {
      requestIds: requestIds.slice(from, from + AT_ONCE),
      requesterId: by.id,
      requesterName: by.name,
      printEventDate: new Date().toISOString(),
    })
}
