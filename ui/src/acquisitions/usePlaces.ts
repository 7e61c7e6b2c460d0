// The places that a piece can go to: those of its line first; another location makes holdings there. A choice is one
// text: FOLIO names a place by holdings or by location.
import { useList } from '#/api/lists'
import type { OrderLine } from './types'
import { useHoldingPlaces } from './useHoldingPlaces'

interface Placed {
  locationId?: string
  holdingId?: string
}

export const placeKey = ({ locationId, holdingId }: Placed): string | undefined =>
  holdingId ? `h:${holdingId}` : locationId ? `l:${locationId}` : undefined

export function placeOf(key: string | undefined): Placed {
  if (!key) return {}
  return key.startsWith('h:') ? { holdingId: key.slice(2) } : { locationId: key.slice(2) }
}

export function usePlaces(line: Pick<OrderLine, 'locations'>, also: readonly Placed[] = []) {
  const all = useList('locations')
  const known = [...(line.locations ?? []), ...also]
  const keys = [...new Set(known.flatMap((one) => placeKey(one) ?? []))]
  const nameOf = useHoldingPlaces(known)
  return [
    ...keys.map((value) => ({ value, text: nameOf(placeOf(value)) ?? value.slice(2) })),
    ...all
      .filter(({ id }) => !keys.includes(`l:${id}`))
      .map(({ id, name }) => ({ value: `l:${id}`, text: name })),
  ]
}
