// Import jobs, as FOLIO's source manager tells of them.
import { queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'

export interface Job {
  id: string
  hrId: number
  fileName?: string
  status: string
  uiStatus?: string
  progress?: { current?: number; total?: number }
  runBy?: { firstName?: string; lastName?: string }
  startedDate?: string
  completedDate?: string
  jobProfileInfo?: { id: string; name?: string }
}

interface Sums {
  totalCreatedEntities?: number
  totalUpdatedEntities?: number
  totalDiscardedEntities?: number
  totalErrors?: number
}

export interface Summary {
  totalErrors?: number
  sourceRecordSummary?: Sums
  instanceSummary?: Sums
  holdingSummary?: Sums
  itemSummary?: Sums
  authoritySummary?: Sums
  orderSummary?: Sums
  invoiceSummary?: Sums
}

interface Related {
  actionStatus?: string
  idList?: string[]
  hridList?: string[]
  error?: string
}

export interface LogLine {
  incomingRecordId: string
  /** The place of a record in the file, from 0; of an invoice's line the numbers of both. */
  sourceRecordOrder: string
  /** An invoice has a line of the log for each of its own. */
  invoiceLineJournalRecordId?: string
  sourceRecordTitle?: string
  sourceRecordActionStatus?: string
  sourceRecordId?: string
  sourceRecordType?: string
  error?: string
  relatedInstanceInfo?: Related
  relatedAuthorityInfo?: Related
  relatedHoldingsInfo?: { id?: string; hrid?: string; actionStatus?: string; error?: string }[]
  relatedItemInfo?: { id?: string; hrid?: string; actionStatus?: string; error?: string }[]
  relatedPoLineInfo?: Related & { orderId?: string }
  relatedInvoiceInfo?: Related
  relatedInvoiceLineInfo?: { actionStatus?: string; error?: string }
}

export const keyOf = (line: LogLine) => line.invoiceLineJournalRecordId ?? line.incomingRecordId

const OVER = new Set(['COMMITTED', 'ERROR', 'CANCELLED', 'DISCARDED'])
export const isOver = ({ status }: Job) => OVER.has(status)

/** A running job is looked at so often. */
const AGAIN_MS = 1500
const PAGE = 50

export const jobsQuery = (pages: number) =>
  queryOptions({
    queryKey: ['import-jobs', pages],
    queryFn: ({ signal }) =>
      get<{ jobExecutions: Job[]; totalRecords: number }>(
        '/metadata-provider/jobExecutions',
        { limit: pages * PAGE, offset: 0, sortBy: 'started_date,desc' },
        signal,
      ),
    staleTime: 0,
    refetchInterval: (query) =>
      query.state.data?.jobExecutions.some((job) => !isOver(job)) ? AGAIN_MS : false,
  })

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['import-job', id],
    queryFn: async ({ signal }) => {
      const job = await get<Job>(`/change-manager/jobExecutions/${id}`, undefined, signal)
      // A job that has not begun has none.
      const hasBegun = isOver(job) || Boolean(job.progress?.current)
      const summary: Summary = hasBegun
        ? await get(`/metadata-provider/jobSummary/${id}`, undefined, signal)
        : {}
      return { job, summary }
    },
    staleTime: 0,
    refetchInterval: (query) =>
      query.state.data && !isOver(query.state.data.job) ? AGAIN_MS : false,
  })

export const LINES = 100

export const linesQuery = (id: string, { errors, page }: { errors: boolean; page: number }) =>
  queryOptions({
    queryKey: ['import-lines', id, errors, page],
    queryFn: ({ signal }) =>
      get<{ entries: LogLine[]; totalRecords: number }>(
        `/metadata-provider/jobLogEntries/${id}`,
        { errorsOnly: errors, limit: LINES, offset: (page - 1) * LINES },
        signal,
      ),
    staleTime: 0,
  })

export interface Incoming {
  id: string
  rawRecordContent?: string
  parsedRecordContent?: string
}

export const incomingQuery = (id: string) =>
  queryOptions({
    queryKey: ['incoming', id],
    queryFn: ({ signal }) =>
      get<Incoming>(`/metadata-provider/incomingRecords/${id}`, undefined, signal),
  })
