// The profiles that say what a job does.
import { queryOptions } from '@tanstack/react-query'
import { get } from '#/api/client'

export interface Profile {
  id: string
  name: string
  dataType?: string
  description?: string
}

const PAGE = 1000

const all = (key: string, path: string) =>
  queryOptions({
    queryKey: [key],
    queryFn: async ({ signal }): Promise<Profile[]> => {
      const rows: Profile[] = []
      for (;;) {
        const query = { limit: PAGE, offset: rows.length, query: 'cql.allRecords=1 sortby name' }
        const { jobProfiles } = await get<{ jobProfiles: Profile[] }>(path, query, signal)
        rows.push(...jobProfiles)
        if (jobProfiles.length < PAGE) return rows
      }
    },
    staleTime: 60_000,
  })

export const importProfilesQuery = all('import-profiles', '/data-import-profiles/jobProfiles')
export const exportProfilesQuery = all('export-profiles', '/data-export/job-profiles')
