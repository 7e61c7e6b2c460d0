// The MARC record of a title.
import { queryOptions } from '@tanstack/react-query'
import { get, post, put } from '#/api/client'
import { ApiFailure } from '#/api/errors'
import type { Issue, MarcField, MarcRecord } from './types'

export const marcQuery = (instanceId: string) =>
  queryOptions({
    queryKey: ['instance', instanceId, 'marc'],
    queryFn: ({ signal }) =>
      get<MarcRecord>('/records-editor/records', { externalId: instanceId }, signal),
  })

export const check = (leader: string, fields: MarcField[], marcFormat: string) =>
  post<{ issues: Issue[] }>('/records-editor/validate', { marcFormat, leader, fields })

/** The same record with links for headings of which exactly one authority has the number. */
export const suggestLinks = (record: MarcRecord, leader: string, fields: MarcField[]) =>
  post<MarcRecord>('/records-editor/links/suggestion', {
    ...record,
    leader,
    fields,
    _actionType: 'edit',
  })

const STEPS_MAX = 30
const STEP_MS = 1000

interface Making {
  qmRecordId: string
  externalId?: string
  status: string
  errorMessage?: string
}

/** A new record and its title; the title's id. FOLIO makes them after its answer, and is asked until it has done so. */
export async function make(leader: string, fields: MarcField[]): Promise<string> {
  let made = await post<Making>('/records-editor/records', {
    marcFormat: 'BIBLIOGRAPHIC',
    leader,
    fields,
    suppressDiscovery: false,
    _actionType: 'create',
  })
  for (let step = 0; !made.externalId && made.status !== 'ERROR' && step < STEPS_MAX; step += 1) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    made = await get<Making>('/records-editor/records/status', { qmRecordId: made.qmRecordId })
  }
  if (made.externalId) return made.externalId
  throw new ApiFailure({ kind: 'fault', status: 0, text: made.errorMessage ?? made.status })
}

/** `version` is that of the title, as it was read with the record. */
export const save = (
  record: MarcRecord,
  leader: string,
  fields: MarcField[],
  version: number | undefined,
) =>
  put(`/records-editor/records/${record.parsedRecordId}`, {
    ...record,
    leader,
    fields,
    relatedRecordVersion: version,
    _actionType: 'edit',
  })
