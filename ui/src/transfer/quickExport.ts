// Records as MARC, at once: the server makes the file, which is then saved here.
import { get, post } from '#/api/client'
import { equals } from '#/api/cql'
import { download, type ExportJob, isRunning } from './exports'

export type RecordType = 'INSTANCE' | 'AUTHORITY'

/** The route takes no more ids at once. */
export const IDS_MAX = 250_000
const AGAIN_MS = 700

interface Exported {
  done: number
  failed: number
}

/** Ends when the file is saved, or when there is none; the job stays in the list of exports. */
export async function saveAsMarc(
  recordType: RecordType,
  ids: readonly string[],
  fileName: string,
  signal: AbortSignal,
): Promise<Exported> {
  const { jobExecutionId } = await post<{ jobExecutionId: string }>('/data-export/quick-export', {
    type: 'uuid',
    recordType,
    uuids: ids,
    fileName,
  })
  for (;;) {
    const { jobExecutions } = await get<{ jobExecutions: ExportJob[] }>(
      '/data-export/job-executions',
      { query: equals('id', jobExecutionId), limit: 1 },
      signal,
    )
    const [job] = jobExecutions
    if (job && !isRunning(job)) {
      const { exported = 0, failed = 0 } = job.progress ?? {}
      if (exported) await download(job)
      return { done: exported, failed }
    }
    await new Promise((resume) => setTimeout(resume, AGAIN_MS))
    signal.throwIfAborted()
  }
}

/** The ids of all titles that a search finds. */
export async function idsFound(query: string, signal: AbortSignal): Promise<string[]> {
  const { ids } = await get<{ ids: { id: string }[] }>('/search/instances/ids', { query }, signal)
  return ids.map(({ id }) => id)
}
