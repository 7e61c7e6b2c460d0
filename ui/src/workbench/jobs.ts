// What works in the background: imports, exports, records sent to the search again.
import { queryOptions } from '@tanstack/react-query'
import { session } from '#/api/session'
import type { ExportJob } from '#/transfer/exports'
import { type Job as ImportJob, isOver } from '#/transfer/jobs'
import { type Probed, probed } from './probe'

export type JobState = 'running' | 'done' | 'faults' | 'stopped'

export interface BackgroundJob {
  id: string
  of: 'import' | 'export' | 'reindex'
  name: string
  state: JobState
  done: number
  total?: number
  startedAt?: string
  /** Its own page, for imports. */
  page?: string
}

export interface Jobs {
  jobs: BackgroundJob[]
  /** Permissions that the person lacks, by which a kind is left out. */
  lacking: string[]
}

const FEW = 20
const RUNNING_MS = 1500
const RESTING_MS = 10_000

interface ReindexJob {
  id: string
  resourceName?: string
  jobStatus: string
  published?: number
  submittedDate?: string
}

const importOf = (job: ImportJob): BackgroundJob => ({
  id: job.id,
  of: 'import',
  name: job.fileName ?? String(job.hrId),
  state: isOver(job)
    ? job.status === 'COMMITTED'
      ? 'done'
      : job.status === 'CANCELLED'
        ? 'stopped'
        : 'faults'
    : 'running',
  done: job.progress?.current ?? 0,
  total: job.progress?.total,
  startedAt: job.startedDate,
  page: job.id,
})

const EXPORT_STATES: Record<string, JobState> = {
  COMPLETED: 'done',
  COMPLETED_WITH_ERRORS: 'faults',
  FAIL: 'faults',
}

const exportOf = (job: ExportJob): BackgroundJob => ({
  id: job.id,
  of: 'export',
  name: job.exportedFiles?.[0]?.fileName ?? String(job.hrId),
  state: EXPORT_STATES[job.status] ?? 'running',
  done: job.progress?.exported ?? 0,
  total: job.progress?.total,
  startedAt: job.startedDate,
})

const REINDEX_STATES: Record<string, JobState> = {
  'In progress': 'running',
  'Pending cancel': 'running',
  'Id publishing cancelled': 'stopped',
  'Ids published': 'done',
}

const reindexOf = (job: ReindexJob): BackgroundJob => ({
  id: job.id,
  of: 'reindex',
  name: job.resourceName ?? job.id,
  state: REINDEX_STATES[job.jobStatus] ?? 'faults',
  done: job.published ?? 0,
  startedAt: job.submittedDate,
})

/** All three at once; a kind that the person may not see names its permission. */
export const jobsQuery = queryOptions({
  queryKey: ['background-jobs', session.tenant],
  queryFn: async ({ signal }): Promise<Jobs> => {
    const [imports, exports, again] = await Promise.all([
      probed<{ jobExecutions: ImportJob[] }>(
        '/metadata-provider/jobExecutions',
        { limit: FEW, sortBy: 'started_date,desc' },
        signal,
      ),
      probed<{ jobExecutions: ExportJob[] }>(
        '/data-export/job-executions',
        { query: 'cql.allRecords=1 sortby hrId/sort.descending', limit: FEW },
        signal,
      ),
      probed<{ reindexJobs: ReindexJob[] }>(
        '/instance-storage/reindex',
        { query: 'cql.allRecords=1 sortby submittedDate/sort.descending', limit: FEW },
        signal,
      ),
    ])
    const jobs = [
      ...(imports.state === 'there' ? imports.data.jobExecutions.map(importOf) : []),
      ...(exports.state === 'there' ? exports.data.jobExecutions.map(exportOf) : []),
      ...(again.state === 'there' ? again.data.reindexJobs.map(reindexOf) : []),
    ]
    const at = ({ startedAt }: BackgroundJob) => Date.parse(startedAt ?? '') || 0
    jobs.sort(
      (one, other) =>
        Number(other.state === 'running') - Number(one.state === 'running') || at(other) - at(one),
    )
    return { jobs, lacking: [imports, exports, again].flatMap(lackingOf) }
  },
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data?.jobs.some((job) => job.state === 'running') ? RUNNING_MS : RESTING_MS,
})

const lackingOf = (one: Probed<unknown>): string[] =>
  one.state === 'refused' && one.permission ? [one.permission] : []
