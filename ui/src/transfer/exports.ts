// Exports: by a list of ids or by CQL; the file is fetched by a link that the server signs.
import { queryOptions } from '@tanstack/react-query'
import { get, post } from '#/api/client'
import { sendFile } from './upload'

export interface ExportJob {
  id: string
  hrId: number
  status: string
  exportedFiles?: { fileId: string; fileName: string }[]
  progress?: { exported?: number; failed?: number; total?: number }
  runBy?: { firstName?: string; lastName?: string }
  startedDate?: string
  completedDate?: string
  jobProfileName?: string
}

const AGAIN_MS = 1500
const PAGE = 50

export const isRunning = ({ status }: ExportJob) => status === 'NEW' || status === 'IN_PROGRESS'

export const exportsQuery = (pages: number) =>
  queryOptions({
    queryKey: ['exports', pages],
    queryFn: ({ signal }) =>
      get<{ jobExecutions: ExportJob[]; totalRecords: number }>(
        '/data-export/job-executions',
        { query: 'cql.allRecords=1 sortby hrId/sort.descending', limit: pages * PAGE },
        signal,
      ),
    staleTime: 0,
    refetchInterval: (query) =>
      query.state.data?.jobExecutions.some(isRunning) ? AGAIN_MS : false,
  })

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** The ids in a text, each once. */
export const idsIn = (text: string): string[] => [
  ...new Set((text.match(UUID) ?? []).map((id) => id.toLowerCase())),
]

export const KINDS = ['instance', 'holding', 'authority'] as const

export interface Wanted {
  by: 'ids' | 'cql'
  text: string
  profileId: string
  idType: (typeof KINDS)[number]
}

export async function startExport({ by, text, profileId, idType }: Wanted): Promise<void> {
  const content = by === 'ids' ? idsIn(text).join('\n') : text.trim()
  const definition = await post<{ id: string }>('/data-export/file-definitions', {
    fileName: by === 'ids' ? 'ids.csv' : 'query.cql',
    uploadFormat: by === 'ids' ? 'csv' : 'cql',
    // In kilobytes, as FOLIO counts.
    size: Math.ceil(content.length / 1024),
  })
  await sendFile(`/data-export/file-definitions/${definition.id}/upload`, new Blob([content]))
  await post('/data-export/export', {
    fileDefinitionId: definition.id,
    jobProfileId: profileId,
    idType,
  })
}

export async function download(job: ExportJob): Promise<void> {
  const [file] = job.exportedFiles ?? []
  if (!file) return
  const path = `/data-export/job-executions/${job.id}/download/${file.fileId}`
  const { link } = await get<{ link: string }>(path)
  const anchor = document.createElement('a')
  anchor.href = link
  anchor.download = file.fileName
  anchor.click()
}
