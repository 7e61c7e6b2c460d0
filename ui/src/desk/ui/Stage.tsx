// The last answered scan, readable from a step away. It changes only by a scan.
import { memo } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Icon, type IconName } from '#/ui/Icon'
import styles from '../desk.module.css'
import type { Scan } from '../types'
import { type DeskAct, saidOf, whyOf } from '../words'

interface Props {
  scan: Scan | undefined
  act: DeskAct
  empty: string
  button?: { text: string; icon: IconName; keys: string; run: () => void }
}

export const Stage = memo(({ scan, act, empty, button }: Props) => {
  const t = useText()
  const formats = useFormats()
  if (!scan) {
    return (
      <section className={cx(styles.stage, 'offline')} aria-label={t('desk.lastScan')}>
        <span className={styles.mark}>
          <Icon name="scan-barcode" />
        </span>
        <p className={styles.what}>{empty}</p>
      </section>
    )
  }
  const { kind, icon, word, place } = saidOf(scan, t, formats, act)
  const isRefused = scan.state === 'refused'
  const tone = scan.outcome?.tone ?? 'blocked'
  return (
    <section className={cx(styles.stage, kind)} aria-label={t('desk.lastScan')}>
      <span className={styles.mark}>
        <Icon name={icon} />
      </span>
      <div className="cut">
        <p className={cx(styles.say, 'cut')}>
          {word}
          {place && !isRefused ? (
            <>
              {' · '}
              <bdi>{place}</bdi>
            </>
          ) : null}
        </p>
        <p className={cx(styles.what, 'cut')}>
          <bdi className="medium">{scan.item?.title || scan.barcode}</bdi>
          {whyOf(scan, t, formats).map((part) => (
            <span key={part}> · {part}</span>
          ))}
        </p>
      </div>
      <div className={cx(styles.answers, styles.level)}>
        <span className="sm soft row wide-only">
          <Icon name="volume-2" />
          {t(`desk.tone.${tone}`)}
        </span>
        {button ? (
          <Button icon={button.icon} keys={button.keys} onPress={button.run}>
            {button.text}
          </Button>
        ) : null}
      </div>
    </section>
  )
})
