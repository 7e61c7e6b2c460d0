// The cells of a scan's row.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Badge } from '#/ui/Badge'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { Icon } from '#/ui/Icon'
import { Skeleton } from '#/ui/Skeleton'
import { Spinner } from '#/ui/Spinner'
import styles from '../desk.module.css'
import type { Scan } from '../types'
import { type DeskAct, saidOf } from '../words'

export function OutcomeCell({ scan, act, word }: { scan: Scan; act: DeskAct; word?: string }) {
  const t = useText()
  const said = saidOf(scan, t, useFormats(), act)
  const isAsking = scan.state === 'asking' || scan.state === 'waiting'
  return (
    <span className={cx(styles['c-out'], said.kind)}>
      {isAsking ? <Spinner /> : <Icon name={said.icon} large />}
      <span className={styles.two}>
        <span className="cut">{word ?? said.word}</span>
        <bdi className="cut">{said.place}</bdi>
      </span>
    </span>
  )
}

export function TitleCell({ scan }: { scan: Scan }) {
  const t = useText()
  const { item } = scan
  if (!item) {
    const isAsking = scan.state === 'asking' || scan.state === 'waiting'
    return (
      <span className={cx(styles['c-title'], styles.two)}>
        {isAsking ? (
          <Skeleton share={12} />
        ) : (
          <bdi className={cx(styles.title, 'cut')}>{t('desk.unknownItem')}</bdi>
        )}
        <span className="cut">{isAsking ? '' : t('desk.unknownItemWhat')}</span>
      </span>
    )
  }
  return (
    <span className={cx(styles['c-title'], styles.two)}>
      <bdi className={cx(styles.title, 'cut')}>{item.title}</bdi>
      <span className="cut">
        {item.shelfMark ? <Code plain>{item.shelfMark}</Code> : null}
        {[item.material, item.contributor].filter(Boolean).map((part, at) => (
          <span key={part}>
            {at || item.shelfMark ? ' · ' : ''}
            <bdi>{part}</bdi>
          </span>
        ))}
      </span>
    </span>
  )
}

export function CodeCell({ scan }: { scan: Scan }) {
  return (
    <span className={styles['c-code']}>
      <Code>{scan.barcode}</Code>
    </span>
  )
}

export function FeeCell({ scan }: { scan: Scan }) {
  const formats = useFormats()
  return (
    <span className={cx(styles['c-fee'], 'num')}>
      {scan.owed ? (
        <Badge kind="fee" icon="coins">
          {formats.money(scan.owed)}
        </Badge>
      ) : null}
    </span>
  )
}

export function TimeCell({ scan }: { scan: Scan }) {
  const formats = useFormats()
  return <span className={styles['c-time']}>{formats.clock(scan.at)}</span>
}
