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

/** Its id. */
export async function makeAuthority(api: Api, heading: string): Promise<string> {
  const { externalId } = await api.post<{ externalId: string }>('/records-editor/records', {
    marcFormat: 'AUTHORITY',
    leader: '00000nz\\\\a2200000n\\\\4500',
    fields: [
      { tag: '001', content: `n${Date.now()}` },
      { tag: '008', content: AUTHORITY_008 },
      { tag: '100', content: `$a ${heading}, $d 1901-1990`, indicators: ['1', '\\'] },
    ],
  })
  return externalId
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
