// Electronic access: only addresses of the web become links.
import { useText } from '#/i18n/text'
import { Section } from '#/ui/Section'
import type { ElectronicAccess } from './types'

export function Links({ links }: { links: readonly ElectronicAccess[] | undefined }) {
  const t = useText()
  if (!links?.length) return null
  return (
    <Section title={t('inventory.electronicAccess')} count={String(links.length)}>
      <ul>
        {links.map((one, at) => (
          <li key={`${at}${one.uri}`}>
            {/^https?:\/\//i.test(one.uri ?? '') ? (
              <a href={one.uri} rel="noreferrer" target="_blank">
                <bdi>{one.linkText || one.uri}</bdi>
              </a>
            ) : (
              <bdi>{one.linkText || one.uri}</bdi>
            )}{' '}
            <bdi className="sm muted">{one.publicNote}</bdi>
          </li>
        ))}
      </ul>
    </Section>
  )
}
