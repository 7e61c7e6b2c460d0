// Whose card was scanned, what cannot be done now, and what is to be worked off from before.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import styles from '#/desk/desk.module.css'
import type { DeskAct } from '#/desk/words'
import { useText } from '#/i18n/text'
import { Avatar } from '#/ui/Avatar'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { Icon } from '#/ui/Icon'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import type { Kept } from '../types'
import { useBlocked } from '../useBlocked'
import { whyRefused } from '../words'
import { BlockedNote } from './BlockedNote'

const SHOWN = 4

interface Props {
  act: DeskAct
  card: string | undefined
  rows: readonly Kept[]
}

export function OfflineSide({ act, card, rows }: Props) {
  const t = useText()
  const [more, setMore] = useState(false)
  const blocked = useBlocked(card)
  const open = rows.filter(({ state }) => state === 'refused')
  const optional = more ? 'stack tight' : 'stack tight opt'
  return (
    <aside
      className={cx(page.side, styles.patron)}
      aria-label={t(act === 'checkOut' ? 'checkout.patron' : 'offline.waits')}
    >
      {card ? (
        <>
          <div className={styles.who}>
            <Avatar big text={<Icon name="id-card" />} />
            <div>
              <h2>{t('offline.cardEnds', { end: card.slice(-4) })}</h2>
              <p className="sm soft">
                <Code>{card}</Code>
              </p>
            </div>
          </div>
          {blocked ? (
            <BlockedNote card={blocked} />
          ) : (
            <Note kind="offline" icon="list-checks">
              <p>
                <strong>{t('offline.cannotSee')}</strong>
              </p>
              <p className="sm">{t('offline.cannotSeeWhat')}</p>
            </Note>
          )}
        </>
      ) : act === 'checkOut' ? (
        <p className="muted sm">{t('offline.nobody')}</p>
      ) : (
        <Note kind="offline" icon="archive">
          <p className="sm">{t('offline.waitsHolds')}</p>
        </Note>
      )}
      <section className={optional}>
        <h2>{t('offline.waits')}</h2>
        <ul className="sm soft stack tight">
          {act === 'checkOut' ? <li>{t('offline.waitsCheckIn')}</li> : null}
          <li>{t('offline.waitsOther')}</li>
          <li>{t('offline.waitsSearch')}</li>
        </ul>
      </section>
      {open.length ? (
        <section className={optional}>
          <h2>{t('offline.workOff')}</h2>
          <ul className={styles.wait}>
            {open.slice(0, SHOWN).map(({ entry, result }) => (
              <li key={entry.id}>
                <bdi className="medium cut">{result?.item?.title || entry.itemBarcode}</bdi>
                <Link to="/offline">{t('offline.open')}</Link>
                <span className="muted">{whyRefused(result, t)}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <span className="more narrow-only">
        <Button
          kind="quiet"
          small
          icon={more ? 'chevron-up' : 'chevron-down'}
          aria-expanded={more}
          onPress={() => setMore(!more)}
        >
          {t('offline.waits')}
        </Button>
      </span>
    </aside>
  )
}
