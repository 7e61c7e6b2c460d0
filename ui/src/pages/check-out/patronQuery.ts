// The card of the patron who stands at the desk.
import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '#/api/query'
import type { User } from '#/api/types'
import { cardOf } from '#/desk/service'

export const patronQuery = (barcode: string | undefined, servicePointId: string) =>
  queryOptions({
    queryKey: ['patron-card', barcode, servicePointId],
    queryFn: async () => {
      const known = queryClient.getQueryData<User>(['patron', barcode])
      return cardOf(barcode ?? '', servicePointId, known)
    },
    enabled: Boolean(barcode),
    staleTime: 0,
    gcTime: 60_000,
  })
