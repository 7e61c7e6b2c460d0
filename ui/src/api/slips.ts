// The library's slip templates.
import { queryOptions } from '@tanstack/react-query'
import { get } from './client'
import type { StaffSlip } from './types'

export const slipsQuery = queryOptions({
  queryKey: ['staff-slips'],
  queryFn: async ({ signal }) => {
    const query = { query: 'cql.allRecords=1', limit: 100 }
    const { staffSlips } = await get<{ staffSlips: StaffSlip[] }>(
      '/staff-slips-storage/staff-slips',
      query,
      signal,
    )
    return staffSlips
  },
  staleTime: 10 * 60_000,
})
