// The records of a job that failed, as they stood in the file: to be mended there and imported again.
import { get } from '#/api/client'
import type { Incoming, LogLine } from './jobs'

const LINES = 500
/** Asked for at once: a browser opens no more connections to a server. */
const AT_ONCE = 6

/** What the file had of each failed record; lines of one record (invoices have several) count once. */
export async function failedRecords(
  jobId: string,
  onCount: (count: number, total: number) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const ids = new Set<string>()
  for (let offset = 0; ; offset += LINES) {
    const { entries, totalRecords } = await get<{ entries: LogLine[]; totalRecords: number }>(
      `/metadata-provider/jobLogEntries/${jobId}`,
      { errorsOnly: true, limit: LINES, offset },
      signal,
    )
    for (const { incomingRecordId } of entries) if (incomingRecordId) ids.add(incomingRecordId)
    if (!entries.length || offset + LINES >= totalRecords) break
  }
  const wanted = [...ids]
  const texts: string[] = []
  while (texts.length < wanted.length) {
    const some = wanted.slice(texts.length, texts.length + AT_ONCE)
    const read = await Promise.all(
      some.map((id) =>
        get<Incoming>(`/metadata-provider/incomingRecords/${id}`, undefined, signal),
      ),
    )
    texts.push(...read.map(({ rawRecordContent = '' }) => rawRecordContent))
    onCount(texts.length, wanted.length)
  }
  return texts.filter(Boolean)
}
