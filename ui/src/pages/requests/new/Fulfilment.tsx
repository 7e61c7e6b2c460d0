// The kinds that the rules allow, and where it is picked up or delivered to.
import { useQuery } from '@tanstack/react-query'
import { get } from '#/api/client'
import { equals } from '#/api/cql'
import { useText } from '#/i18n/text'
import { addressTypesQuery } from '#/patrons/queries'
import type { Patron } from '#/patrons/types'
import type { Allowed } from '#/requests/queries'
import type { Kind } from '#/requests/types'
import { kindId } from '#/requests/words'
import { Note } from '#/ui/Note'
import { Segmented } from '#/ui/Segmented'
import { Select } from '#/ui/Select'

interface Props {
  allowed: Allowed
  user: Patron | undefined
  kind: Kind | undefined
  onKind: (kind: Kind) => void
  pickup: string | undefined
  onPickup: (id: string) => void
  address: string | undefined
  onAddress: (id: string | undefined) => void
  tried: boolean
}

const SHELF = 'shelf'

export function Fulfilment(props: Props) {
  const { allowed, user, kind, onKind, pickup, onPickup, address, onAddress, tried } = props
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
  const kinds = Object.keys(allowed) as Kind[]
  if (!kinds.length || !kind) {
    return (
      <Note kind="blocked">
        <p>
          <strong>{t('request.nothingAllowed')}</strong> {t('request.nothingAllowedWhat')}
        </p>
      </Note>
    )
  }
  const addresses = delivers ? (user?.personal.addresses ?? []) : []
  return (
    <>
      <Segmented
        label={t('request.kindOf')}
        value={kind}
        onChange={onKind}
        choices={kinds.map((one) => ({ value: one, text: t(kindId(one)) }))}
      />
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
          choices={(allowed[kind] ?? []).map((one) => ({ value: one.id, text: one.name }))}
          help={tried && !pickup ? t('request.choosePlace') : undefined}
        />
      )}
    </>
  )
}
