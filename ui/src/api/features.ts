// What this server has beyond FOLIO's published routes. Another FOLIO answers 404: then nothing.
import { queryOptions } from '@tanstack/react-query'
import { takeEarly } from './early'

export interface Features {
  tenant: string | null
  tenantName: string | null
  /** One request a scan: POST /_/octavo/desk/check-in and check-out. */
  desk: boolean
}

export const featuresQuery = queryOptions({
  queryKey: ['features'],
  queryFn: async ({ signal }): Promise<Features> => {
    const none: Features = { tenant: null, tenantName: null, desk: false }
    const url = '/staff/installation.json'
    const answer = await (takeEarly(url) ?? fetch(url, { signal }))
    // Another server that holds the client's files may answer with the client's own page.
    if (!answer.ok || !answer.headers.get('content-type')?.includes('json')) return none
    return { ...none, ...((await answer.json()) as Partial<Features>) }
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})
