// MARC records, each by the id of what it describes: a title, holdings, an authority.
import { queryOptions } from '@tanstack/react-query'
import { get, post, put } from '#/api/client'
import { ApiFailure, failureOf } from '#/api/errors'
import { KINDS } from './kinds'
import type { Issue, MarcField, MarcFormat, MarcRecord } from './types'

export const marcQuery = (externalId: string) =>
  queryOptions({
    queryKey: ['marc', externalId],
    queryFn: ({ signal }) => get<MarcRecord>('/records-editor/records', { externalId }, signal),
  })

/** The same; null where there is none, as of what another program made. */
export async function marcIfAny(externalId: string, signal?: AbortSignal) {
  try {
    return await get<MarcRecord>('/records-editor/records', { externalId }, signal)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'fault' && failure.status === 404) return null
    throw error
  }
}

/** The version of the described record, which is the one that a save is compared with. */
export const versionQuery = (format: MarcFormat, id: string) =>
  queryOptions({
    queryKey: ['marc', id, 'version'],
    queryFn: async ({ signal }) =>
      (await get<{ _version?: number }>(`${KINDS[format].path}/${id}`, undefined, signal))._version,
  })

export const check = (leader: string, fields: MarcField[], marcFormat: MarcFormat) =>
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

/**
 * A new record and what it describes; the id of that. FOLIO makes them after its answer, and is asked until it has done
 * so.
 */
export async function make(
  marcFormat: MarcFormat,
  leader: string,
  fields: MarcField[],
): Promise<string> {
  let made = await post<Making>('/records-editor/records', {
    marcFormat,
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

/** `version` is that of what is described, as it was read with the record. */
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
