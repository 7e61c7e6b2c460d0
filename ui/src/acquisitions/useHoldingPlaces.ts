// Names of places: a piece or a line names a location, or the holdings that stand in one.
import { useQuery } from '@tanstack/react-query'
import { get } from '#/api/client'
import { anyOf } from '#/api/cql'
import { useNames } from '#/api/lists'

interface Placed {
  locationId?: string
  holdingId?: string
}

export function useHoldingPlaces(rows: readonly Placed[]) {
  const names = useNames('locations')
  const ids = [...new Set(rows.flatMap(({ holdingId }) => (holdingId ? [holdingId] : [])))].sort()
  const { data } = useQuery({
    queryKey: ['acq', 'holdings', ids],
    queryFn: async ({ signal }) => {
      const { holdingsRecords } = await get<{
        holdingsRecords: { id: string; permanentLocationId?: string; callNumber?: string }[]
      }>('/holdings-storage/holdings', { query: anyOf('id', ids), limit: ids.length }, signal)
      return holdingsRecords
    },
    enabled: ids.length > 0,
  })
  return ({ locationId, holdingId }: Placed): string | undefined => {
    if (locationId) return names('locations', locationId) ?? locationId
    const holdings = data?.find((one) => one.id === holdingId)
    if (!holdings) return undefined
    return [names('locations', holdings.permanentLocationId), holdings.callNumber]
      .filter(Boolean)
      .join(' · ')
  }
}
