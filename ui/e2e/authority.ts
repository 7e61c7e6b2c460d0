// Authority records of persons.
import type { Api } from './fixtures'

const AUTHORITY_008 = {
  'Date Ent': '860211',
  'Geo Subd': 'i',
  Roman: '|',
  Lang: '\\',
  'Kind rec': 'a',
  'Cat Rules': 'n',
  'SH Sys': 'a',
  Series: 'n',
  'Numb Series': 'n',
  'Main use': 'b',
  'Subj use': 'a',
  'Series use': 'b',
  'Type Subd': 'n',
  Undef_18: '\\\\\\\\\\\\\\\\\\\\',
  'Govt Ag': '|',
  RefEval: 'b',
  Undef_30: '\\',
  RecUpd: 'a',
  'Pers Name': 'n',
  'Level Est': 'a',
  Undef_34: '\\\\\\\\',
  'Mod Rec': '\\',
  Source: 'd',
}

export interface Field {
  tag: string
  content: string
  indicators: string[]
}

/** An authority with this number; its id. */
export async function makeHeading(api: Api, number: string, fields: Field[]): Promise<string> {
  const { externalId } = await api.post<{ externalId: string }>('/records-editor/records', {
    marcFormat: 'AUTHORITY',
    leader: '00000nz\\\\a2200000n\\\\4500',
    fields: [{ tag: '001', content: number }, { tag: '008', content: AUTHORITY_008 }, ...fields],
  })
  return externalId
}

/** A person's; `more` are further fields, such as other forms of the name. */
export const makeAuthority = (api: Api, heading: string, more: Field[] = []): Promise<string> =>
  makeHeading(api, `n${Date.now()}`, [
    { tag: '100', content: `$a ${heading}, $d 1901-1990`, indicators: ['1', '\\'] },
    ...more,
  ])

interface BibRecord {
  parsedRecordId: string
  fields: { tag: string; content: unknown; indicators: string[]; linkDetails?: unknown }[]
}

/** Links 100 of a title to this person's authority, as an edit does. */
export async function linkTitle(api: Api, instanceId: string, authorityId: string) {
  const path = `/records-editor/records?externalId=${instanceId}`
  const [record, instance, authority, rules] = await Promise.all([
    api.get<BibRecord>(path),
    api.get<{ _version: number }>(`/inventory/instances/${instanceId}`),
    api.get<{ personalName: string; naturalId: string }>(
      `/authority-storage/authorities/${authorityId}`,
    ),
    api.get<{ id: number; bibField: string }[]>('/linking-rules/instance-authority'),
  ])
  const field = {
    tag: '100',
    content: `$a ${authority.personalName} $0 ${authority.naturalId} $9 ${authorityId}`,
    indicators: ['1', '\\'],
    linkDetails: {
      authorityId,
      authorityNaturalId: authority.naturalId,
      linkingRuleId: rules.find(({ bibField }) => bibField === '100')?.id,
      status: 'ACTUAL',
    },
  }
  const others = record.fields.filter(({ tag }) => !/^1\d\d$/.test(tag))
  const place = others.findIndex(({ tag }) => tag > '100')
  await api.put(`/records-editor/records/${record.parsedRecordId}`, {
    ...record,
    fields: [...others.slice(0, place), field, ...others.slice(place)],
    relatedRecordVersion: instance._version,
    _actionType: 'edit',
  })
}

const NAME = 'Falkenrath, Ida'

/** The heading of a person who has an authority; made once. */
export async function authorityOf(api: Api): Promise<string> {
  const query = encodeURIComponent(`personalName="${NAME}"`)
  const { totalRecords } = await api.get<{ totalRecords: number }>(
    `/search/authorities?limit=1&query=${query}`,
  )
  if (!totalRecords) await makeAuthority(api, NAME)
  return NAME
}
