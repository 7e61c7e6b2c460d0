// Exports of vouchers to accounting: runs of a batch group, what they made, and how it is uploaded.
import { queryOptions } from '@tanstack/react-query'
import type { Stored } from '#/acquisitions/types'
import { get } from '#/api/client'
import { all, equals } from '#/api/cql'
import { ApiFailure, failureFrom } from '#/api/errors'
import { download } from '#/lib/download'

export const EXPORTS = '/batch-voucher/batch-voucher-exports'
export const CONFIGURATIONS = '/batch-voucher/export-configurations'
const VOUCHERS = '/batch-voucher/batch-vouchers'

export interface VoucherExport extends Stored {
  status: string
  message?: string
  batchGroupId: string
  start: string
  end: string
  batchVoucherId?: string
}

export interface Configuration extends Stored {
  batchGroupId: string
  enableScheduledExport?: boolean
  format?: string
  startTime?: string
  weekdays?: string[]
  uploadURI?: string
  uploadDirectory?: string
  ftpFormat?: string
  ftpPort?: number
}

const POLL_MS = 1000
const ROWS = 100

/** How long after an act its outcome is looked for: a run is made first, then uploaded, and only waits at first. */
export const WATCH_MS = 15_000

/** The runs of a batch group, the newest first; asked again while one waits, and until something was done about it. */
export const exportsQuery = (groupId: string, until = 0) =>
  queryOptions({
    queryKey: ['acq', 'exports', groupId],
    queryFn: async ({ signal }) => {
      const query = `${equals('batchGroupId', groupId)} sortby start/sort.descending`
      const answer = await get<{ batchVoucherExports: VoucherExport[]; totalRecords: number }>(
        EXPORTS,
        { query, limit: ROWS },
        signal,
      )
      const rows = answer.batchVoucherExports.toSorted((a, b) =>
        (b.metadata?.createdDate ?? '').localeCompare(a.metadata?.createdDate ?? ''),
      )
      return { rows, total: answer.totalRecords }
    },
    staleTime: 0,
    refetchInterval: ({ state }) =>
      Date.now() < until || state.data?.rows.some((one) => one.status === 'Pending')
        ? POLL_MS
        : false,
  })

export const configurationQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['acq', 'export-configuration', groupId],
    queryFn: async ({ signal }) => {
      const query = all(equals('batchGroupId', groupId))
      const { exportConfigs } = await get<{ exportConfigs: Configuration[] }>(
        CONFIGURATIONS,
        { query, limit: 1 },
        signal,
      )
      return exportConfigs[0] ?? null
    },
    staleTime: 0,
  })

const FORMATS = { json: 'application/json', xml: 'application/xml' } as const
export type Format = keyof typeof FORMATS

/** The batch voucher of a run as a file, as the server writes it. */
export async function save(run: VoucherExport, group: string, format: Format) {
  const path = `${VOUCHERS}/${run.batchVoucherId}`
  // Read once as other records are: a session that is over is renewed by that.
  await get(path)
  const answer = await fetch(path, {
    credentials: 'same-origin',
    headers: { Accept: FORMATS[format], 'X-Requested-With': 'octavo' },
  })
  const text = await answer.text()
  if (!answer.ok)
    throw new ApiFailure(failureFrom(answer.status, text, answer.headers.get('content-type') ?? ''))
  const day = (when: string) => when.slice(0, 10)
  const name = `${group}-${day(run.start)}-${day(run.end)}.${format}`.replace(/[^\w.-]+/g, '_')
  download(name, text, FORMATS[format])
}
