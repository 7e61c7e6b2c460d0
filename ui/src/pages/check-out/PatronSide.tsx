// Who stands at the desk: name, card, three figures, block, waiting items, notes, proxies.
import { memo, useState } from 'react'
import styles from '#/desk/desk.module.css'
import type { PatronCard } from '#/desk/published/patron'
import type { Override } from '#/desk/types'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { Portrait } from '#/patrons/Portrait'
import { Badge } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { Skeleton } from '#/ui/Skeleton'
import { Blocks } from './Blocks'
import { PatronMore } from './PatronMore'

interface Props {
  barcode: string | undefined
  card: PatronCard | null | undefined
  override: Override | undefined
  onOverride: (override: Override | undefined) => void
  sponsor: string | undefined
  onSponsor: (barcode: string | undefined) => void
}

export const PatronSide = memo((props: Props) => {
  const { barcode, card, override, onOverride, sponsor, onSponsor } = props
  const t = useText()
  const formats = useFormats()
  const [more, setMore] = useState(false)
  if (!barcode) {
    return (
      <aside className={cx(page.side, styles.patron)} aria-label={t('checkout.patron')}>
        <p className="muted sm">{t('checkout.nobody')}</p>
      </aside>
    )
  }
  if (!card) {
    return (
      <aside
        className={cx(page.side, styles.patron)}
        aria-label={t('checkout.patron')}
        aria-busy="true"
      >
        <p>
          <Skeleton share={15} />
        </p>
        <p className="sm soft">
          <Code>{barcode}</Code>
        </p>
      </aside>
    )
  }
  const { user } = card
  const expires = user.expirationDate ? Date.parse(user.expirationDate) : undefined
  const isExpired = expires !== undefined && expires < Date.now()
  return (
    <aside className={cx(page.side, styles.patron)} aria-label={t('checkout.patron')}>
      <div className={styles.who}>
        <Portrait user={user} />
        <div>
          <h2>
            <bdi>{fullName(user.personal ?? {}) || user.username}</bdi>
          </h2>
          <p className="sm soft">
            <Code>{user.barcode ?? ''}</Code>
          </p>
          <p className="sm muted">
            {[
              card.group,
              expires ? t('checkout.cardUntil', { date: formats.day(expires) }) : undefined,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
      </div>
      <dl className={styles.nums}>
        <Figure value={formats.number(card.openLoans)} label={t('checkout.loans')} />
        <Figure value={formats.money(card.owed)} label={t('checkout.owed')} />
        <Figure value={formats.number(card.openRequests)} label={t('checkout.requests')} />
      </dl>
      {user.active === false || isExpired ? (
        <Note kind="fee">
          <p>
            <strong>{isExpired ? t('checkout.cardExpired') : t('checkout.inactive')}</strong>
          </p>
        </Note>
      ) : null}
      {card.blocks.length ? (
        <Blocks reasons={card.blocks} override={override} onOverride={onOverride} />
      ) : null}
      <PatronMore card={card} sponsor={sponsor} onSponsor={onSponsor} open={more} />
      {card.waiting.length || card.notes.length || card.sponsors.length ? (
        <span className="more narrow-only">
          <Button
            kind="quiet"
            small
            icon={more ? 'chevron-up' : 'chevron-down'}
            aria-expanded={more}
            onPress={() => setMore(!more)}
          >
            {t('checkout.more')}
          </Button>
        </span>
      ) : null}
      {card.waiting.length ? (
        <span className="narrow-only more">
          <Badge kind="hold" icon="bookmark">
            {t('desk.items', { count: card.waiting.length })}
          </Badge>
        </span>
      ) : null}
    </aside>
  )
})

function Figure({ value, label }: { value: string; label: string }) {
  return (
    <div>
      <dt className="k">{label}</dt>
      <dd className="v">{value}</dd>
    </div>
  )
}
