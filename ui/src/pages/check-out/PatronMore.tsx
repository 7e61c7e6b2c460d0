// The lesser parts of the patron's card; on narrow screens behind "More".

import styles from '#/desk/desk.module.css'
import type { PatronCard } from '#/desk/published/patron'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { shelfCode } from '#/lib/names'
import { Badge } from '#/ui/Badge'
import { cx } from '#/ui/cx'
import { Radios } from '#/ui/Radios'

interface Props {
  card: PatronCard
  sponsor: string | undefined
  onSponsor: (barcode: string | undefined) => void
  open: boolean
}

const SELF = 'self'

export function PatronMore({ card, sponsor, onSponsor, open }: Props) {
  const t = useText()
  const formats = useFormats()
  const hidden = open ? undefined : 'opt'
  const code = shelfCode(card.user.personal?.lastName ?? '', card.user.barcode ?? '')
  return (
    <>
      {card.waiting.length ? (
        <section className={hidden}>
          <div className="row">
            <h2>{t('checkout.waitingHere')}</h2>
            <Badge kind="hold" icon="bookmark" push>
              {t('desk.items', { count: card.waiting.length })}
            </Badge>
          </div>
          <ul className={styles.wait}>
            {card.waiting.map((one) => (
              <li key={one.id}>
                <bdi className="medium cut">{one.title}</bdi>
                <bdi className="code">{code}</bdi>
                <span className="muted">
                  {one.until ? t('desk.until', { date: formats.day(one.until) }) : ''}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {card.notes.map((note) => (
        <section key={(note.title ?? '') + note.text} className={cx('stack tight', hidden)}>
          <h2>{note.title || t('checkout.note')}</h2>
          <p className="sm soft" dir="auto">
            {note.text}
          </p>
        </section>
      ))}
      {card.sponsors.length ? (
        <section className={cx('stack tight', hidden)}>
          <h2>{t('checkout.borrowsFor')}</h2>
          <Radios
            label={t('checkout.borrowsFor')}
            value={sponsor ?? SELF}
            onChange={(value) => onSponsor(value === SELF ? undefined : value)}
            choices={[
              { value: SELF, text: t('checkout.self') },
              ...card.sponsors.map((one) => ({
                value: one.barcode,
                text: (
                  <span>
                    <bdi>{one.name}</bdi>{' '}
                    <span className="muted">
                      {one.until ? t('desk.until', { date: formats.day(one.until) }) : ''}
                    </span>
                  </span>
                ),
              })),
            ]}
          />
        </section>
      ) : null}
    </>
  )
}
