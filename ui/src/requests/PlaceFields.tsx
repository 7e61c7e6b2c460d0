// Where a requested item is picked up, or delivered to where the patron has that.
import { useQuery } from '@tanstack/react-query'
import { get } from '#/api/client'
import { equals } from '#/api/cql'
import { useText } from '#/i18n/text'
import { addressTypesQuery } from '#/patrons/queries'
import type { Patron } from '#/patrons/types'
import { Select } from '#/ui/Select'

interface Props {
  user: Patron | undefined
  places: readonly { id: string; name: string }[]
  pickup: string | undefined
  onPickup: (id: string) => void
  address: string | undefined
  onAddress: (id: string | undefined) => void
  tried: boolean
}

const SHELF = 'shelf'

export function PlaceFields(props: Props) {
  const { user, places, pickup, onPickup, address, onAddress, tried } = props
  const t = useText()
  const { data: types } = useQuery(addressTypesQuery)
  const { data: delivers } = useQuery({
    queryKey: ['request-preference', user?.id],
    queryFn: async ({ signal }) => {
      const query = { query: equals('userId', user?.id ?? ''), limit: 1 }
      const { requestPreferences } = await get<{ requestPreferences: { delivery?: boolean }[] }>(
        '/request-preference-storage/request-preference',
        query,
        signal,
      )
      return requestPreferences[0]?.delivery === true
    },
    enabled: Boolean(user),
  })
  // What is delivered already stays a choice, whatever the patron prefers now.
  const addresses = delivers || address ? (user?.personal.addresses ?? []) : []
  return (
    <>
      {addresses.length ? (
        <Select
          label={t('request.how')}
          value={address ?? SHELF}
          onChange={(id) => onAddress(id === SHELF ? undefined : id)}
          choices={[
            { value: SHELF, text: t('request.byPickup') },
            ...addresses.map((one) => ({
              value: one.addressTypeId,
              text: t('request.deliverTo', {
                place:
                  types?.find((type) => type.id === one.addressTypeId)?.addressType ??
                  one.city ??
                  '',
              }),
            })),
          ]}
        />
      ) : null}
      {address ? null : (
        <Select
          label={t('request.pickup')}
          value={pickup}
          onChange={onPickup}
          placeholder={t('request.choose')}
          choices={places.map((one) => ({ value: one.id, text: one.name }))}
          help={tried && !pickup ? t('request.choosePlace') : undefined}
        />
      )}
    </>
  )
}
