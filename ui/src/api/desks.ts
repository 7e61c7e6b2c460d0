// The service points that a person may work at: his own, or all where none is assigned to him.
import { queryOptions } from '@tanstack/react-query'
import { deskChoice } from '#/lib/desk'
import { get } from './client'
import { queryClient } from './query'
import { selfQuery } from './self'
import type { ServicePoint } from './types'

export const servicePointsQuery = queryOptions({
  queryKey: ['service-points'],
  queryFn: async ({ signal }) => {
    const query = { query: 'cql.allRecords=1 sortby name', limit: 1000 }
    const { servicepoints } = await get<{ servicepoints: ServicePoint[] }>(
      '/service-points',
      query,
      signal,
    )
    return servicepoints
  },
  staleTime: 10 * 60_000,
})

export const desksQuery = queryOptions({
  queryKey: ['desks'],
  queryFn: async () => {
    const self = await queryClient.ensureQueryData(selfQuery)
    const found = self.desks.length
      ? self.desks
      : await queryClient.ensureQueryData(servicePointsQuery)
    const offered = found.map(({ id, name }) => ({ id, name }))
    deskChoice.write({ ...deskChoice.read(), offered })
    return offered
  },
  staleTime: 10 * 60_000,
})

/** The service point with its settings, for slips. */
export const servicePointOf = (points: readonly ServicePoint[] | undefined, id: string) =>
  points?.find((point) => point.id === id)
