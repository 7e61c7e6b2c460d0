// Addresses, telephones, e-mail and pages of an organization; the main one of each kind first.
import type { Organization } from '#/acquisitions/types'
import { useText } from '#/i18n/text'
import { Description } from '#/ui/Description'
import { Section } from '#/ui/Section'

const mainFirst = <T extends { isPrimary?: boolean }>(all: readonly T[] = []) =>
  all.toSorted((a, b) => Number(b.isPrimary ?? false) - Number(a.isPrimary ?? false))

/** Only links that a browser opens as pages: an address comes from strangers. */
export const isWeb = (address: string | undefined) => /^https?:\/\//i.test(address ?? '')

export function Reached({ organization }: { organization: Organization }) {
  const t = useText()
  const { addresses, phoneNumbers, emails, urls } = organization
  if (![addresses, phoneNumbers, emails, urls].some((one) => one?.length)) return null
  const lines = (all: readonly (string | undefined)[]) =>
    all.some(Boolean)
      ? all.map((one, at) => (
          <span key={`${at}-${one}`} className="line">
            <bdi>{one}</bdi>
          </span>
        ))
      : undefined
  return (
    <Section title={t('acq.reached')}>
      <Description
        lines={[
          [
            t('acq.addresses'),
            lines(
              mainFirst(addresses).map((one) =>
                [
                  one.addressLine1,
                  one.addressLine2,
                  [one.zipCode, one.city].filter(Boolean).join(' '),
                  one.stateRegion,
                  one.country,
                ]
                  .filter(Boolean)
                  .join(', '),
              ),
            ),
          ],
          [t('acq.phones'), lines(mainFirst(phoneNumbers).map((one) => one.phoneNumber))],
          [t('acq.emails'), lines(mainFirst(emails).map((one) => one.value))],
          [
            t('acq.urls'),
            urls?.length
              ? mainFirst(urls).map((one) =>
                  isWeb(one.value) ? (
                    <a key={one.value} className="line" href={one.value} rel="noreferrer">
                      <bdi>{one.value}</bdi>
                    </a>
                  ) : (
                    <span key={one.value} className="line">
                      <bdi>{one.value}</bdi>
                    </span>
                  ),
                )
              : undefined,
          ],
        ]}
      />
    </Section>
  )
}
