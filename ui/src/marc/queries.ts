// The MARC record of a title.
import { queryOptions } from '@tanstack/react-query'
import { get, post, put } from '#/api/client'
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
