// A whole list by pages: FOLIO's lists have no end mark but their total. Only for what belongs to one record (the fees
// of a patron, the reasons of a library); long lists are shown page by page.
import { get } from './client'

const PAGE = 200

export async function allPages<T>(
  path: string,
  key: string,
  query: string,
  signal?: AbortSignal,
): Promise<T[]> {
  const found: T[] = []
  for (;;) {
    const page = await get<Record<string, unknown>>(
      path,
      { query, limit: PAGE, offset: found.length },
      signal,
    )
    const rows = (page[key] ?? []) as T[]
    found.push(...rows)
    if (rows.length < PAGE) return found
  }
}
