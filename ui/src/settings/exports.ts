// Profiles of exports: which records, which fields of theirs become which MARC fields, and what is left out.
import { get } from '#/api/client'
import { queryClient } from '#/api/query'
import type { LookupOf } from '#/inventory/form/specs'
import type { Kind } from './kinds'
import type { Values } from './paths'

const PATH = '/data-export/mapping-profiles'
const group = 'set.groupExport'

interface ExportField {
  fieldId: string
  displayNameKey: string
  path: string
  recordType: string
  /** Which of a library's types it is about. */
  referenceDataValue?: string
  metadataParameters?: unknown
}

/** What can be exported of titles, holdings and items, as the server lists it. */
const exportFields = () =>
  queryClient.ensureQueryData({
    queryKey: ['export-fields'],
    queryFn: async ({ signal }) =>
      (
        await get<{ transformationFields: ExportField[] }>(
          '/data-export/transformation-fields',
          undefined,
          signal,
        )
      ).transformationFields,
    staleTime: 5 * 60_000,
  })

const SHOWN_MAX = 50
const nameOf = ({ displayNameKey, referenceDataValue }: ExportField) =>
  referenceDataValue ? `${displayNameKey}: ${referenceDataValue}` : displayNameKey

const fieldLookup: LookupOf = {
  list: 'export-fields',
  search: async (words) => {
    const wanted = words.toLocaleLowerCase()
    const found = (await exportFields()).filter((one) =>
      nameOf(one).toLocaleLowerCase().includes(wanted),
    )
    return found.slice(0, SHOWN_MAX).map((one) => ({ id: one.fieldId, text: nameOf(one) }))
  },
  nameOf: async (id) => {
    const field = (await exportFields()).find(({ fieldId }) => fieldId === id)
    return field ? nameOf(field) : id
  },
}

/** A target as people write it, `900$a` or `900 1$a`, with both indicators. */
export const wholeTarget = (text: string): string => {
  const [head = '', code] = text.split('$')
  const target = head.slice(0, 3) + head.slice(3).padEnd(2, ' ')
  return code ? `${target}$${code}` : target
}

/** The rows with what the server's list says of their fields. */
export function completed(rows: readonly Values[], fields: readonly ExportField[]): Values[] {
  return rows.map((row) => {
    const field = fields.find(({ fieldId }) => fieldId === row.fieldId)
    return {
      ...row,
      ...(field && {
        path: field.path,
        recordType: field.recordType,
        ...(field.metadataParameters ? { metadataParameters: field.metadataParameters } : {}),
      }),
      enabled: true,
      transformation: wholeTarget(String(row.transformation ?? '')),
    }
  })
}

const MAPPINGS: Kind = {
  id: 'export-mapping-profiles',
  path: PATH,
  key: 'mappingProfiles',
  name: 'name',
  title: 'set.exportMappings',
  group,
  permission: 'data-export.mapping-profiles.item',
  fields: [
    { name: 'name', label: 'set.name', type: 'text', needed: true },
    { name: 'description', label: 'set.description', type: 'lines' },
    {
      name: 'recordTypes',
      label: 'set.export.of',
      type: 'some',
      needed: true,
      choices: [
        { value: 'SRS', text: 'set.export.marc' },
        { value: 'INSTANCE', text: 'set.export.titles' },
        { value: 'HOLDINGS', text: 'set.export.holdings' },
        { value: 'ITEM', text: 'set.export.items' },
        { value: 'AUTHORITY', text: 'set.export.authorities' },
      ],
    },
    {
      name: 'transformations',
      label: 'set.export.fields',
      type: 'rows',
      add: 'set.export.add',
      next: () => ({}),
      fields: [
        {
          name: 'fieldId',
          label: 'set.export.field',
          type: 'lookup',
          lookup: fieldLookup,
          needed: true,
        },
        {
          name: 'transformation',
          label: 'set.export.target',
          type: 'text',
          needed: true,
          only: {
            pattern: /^(00\d\s*|\d{3}[a-z\d ]{0,2}\$[a-z\d])$/,
            text: 'set.export.targetOnly',
          },
        },
      ],
    },
    {
      name: 'fieldsSuppression',
      label: 'set.export.without',
      type: 'text',
      help: 'set.export.withoutWhat',
      only: { pattern: /^\s*\d{3}(\s*,\s*\d{3})*\s*$/, text: 'set.export.withoutOnly' },
    },
    { name: 'suppress999ff', label: 'set.export.withoutOwn', type: 'check' },
  ],
  columns: ['description'],
  fresh: { recordTypes: ['SRS'], outputFormat: 'MARC', transformations: [] },
  wire: {
    read: (id) => get<Values>(`${PATH}/${id}`),
    body: async (record) => {
      const rows = (record.transformations ?? []) as Values[]
      return { ...record, transformations: completed(rows, await exportFields()) }
    },
  },
}

const JOBS: Kind = {
  id: 'export-job-profiles',
  path: '/data-export/job-profiles',
  key: 'jobProfiles',
  name: 'name',
  title: 'set.exportJobs',
  group,
  permission: 'data-export.job-profiles.item',
  fields: [
    { name: 'name', label: 'set.name', type: 'text', needed: true },
    { name: 'description', label: 'set.description', type: 'lines' },
    {
      name: 'mappingProfileId',
      label: 'set.mapping',
      type: 'ref',
      of: { path: PATH, key: 'mappingProfiles', name: 'name' },
      needed: true,
    },
  ],
  columns: ['description'],
  fresh: { destination: 'fileSystem' },
}

export const EXPORTS: readonly Kind[] = [JOBS, MAPPINGS]
