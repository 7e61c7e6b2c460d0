// The kinds that the rules allow, and where it is picked up or delivered to.
import { useText } from '#/i18n/text'
import type { Patron } from '#/patrons/types'
import { PlaceFields } from '#/requests/PlaceFields'
import type { Allowed } from '#/requests/queries'
import type { Kind } from '#/requests/types'
import { kindId } from '#/requests/words'
import { Note } from '#/ui/Note'
import { Segmented } from '#/ui/Segmented'

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

export function Fulfilment({ allowed, kind, onKind, ...rest }: Props) {
  const t = useText()
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
  return (
    <>
      <Segmented
        label={t('request.kindOf')}
        value={kind}
        onChange={onKind}
        choices={kinds.map((one) => ({ value: one, text: t(kindId(one)) }))}
      />
      <PlaceFields {...rest} places={allowed[kind] ?? []} />
    </>
  )
}
