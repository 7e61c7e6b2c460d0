// Holdings that come from MARC records.
import type { Api } from './fixtures'

export interface Titled {
  id: string
  hrid: string
  title: string
}

/** A title with a MARC record; `at` keeps tests apart. */
export async function marcTitle(api: Api, at: number): Promise<Titled> {
  const { instances } = await api.get<{ instances: { id: string }[] }>(
    `/search/instances?limit=1&offset=${at}&query=source==MARC%20sortby%20title`,
  )
  return api.get<Titled>(`/inventory/instances/${instances[0]?.id}`)
}

export async function locations(api: Api): Promise<{ id: string; name: string; code: string }[]> {
  const path = '/locations?limit=10&query=isActive==true%20sortby%20name'
  return (await api.get<{ locations: { id: string; name: string; code: string }[] }>(path))
    .locations
}

const HOLDINGS_008 = {
  AcqStatus: '0',
  AcqMethod: 'u',
  AcqEndDate: '\\\\\\\\',
  'Gen ret': '8',
  'Spec ret': ['\\', '\\', '\\'],
  Compl: '0',
  Copies: '001',
  Lend: 'u',
  Repro: 'u',
  Lang: 'eng',
  'Sep/comp': '0',
  'Rept date': '260301',
  'Date Ent': '260301',
}

/** Their id. */
export async function makeHoldings(api: Api, title: Titled, place: string): Promise<string> {
  const { externalId } = await api.post<{ externalId: string }>('/records-editor/records', {
    marcFormat: 'HOLDINGS',
    leader: '00000nu\\\\\\2200000un\\4500',
    fields: [
      { tag: '004', content: title.hrid },
      { tag: '008', content: HOLDINGS_008 },
      { tag: '852', content: place, indicators: ['0', '1'] },
    ],
  })
  return externalId
}
