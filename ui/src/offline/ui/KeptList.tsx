// Kept scans, newest first; what needs an answer has its card below the row.
import { type ReactNode, useState } from 'react'
import styles from '#/desk/desk.module.css'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { page } from '#/ui/Page'
import type { Kept } from '../types'
import { KeptLine } from './KeptLine'

const STEP = 200

interface Props {
  rows: readonly Kept[]
  empty?: ReactNode
  /** What stands below a row. */
  below?: (row: Kept) => ReactNode
}

export function KeptList({ rows, empty, below }: Props) {
  const t = useText()
  const formats = useFormats()
  const [shown, setShown] = useState(STEP)
  const newest = rows.toReversed()
  return (
    <section className={cx(styles.scans, styles.outs, page.body)} aria-label={t('offline.list')}>
      <div className={styles.cols} aria-hidden="true">
        <span>{t('checkout.number')}</span>
        <span>{t('offline.scan')}</span>
        <span>{t('desk.barcode')}</span>
        <span>{t('offline.state')}</span>
        <span />
      </div>
      {rows.length ? (
        <ol>
          {newest.slice(0, shown).map((row) => (
            <li key={row.entry.id} data-state={row.state}>
              <KeptLine row={row} />
              {below?.(row)}
            </li>
          ))}
        </ol>
      ) : (
        (empty ?? (
          <Empty
            icon="hard-drive-download"
            title={t('offline.none')}
            text={t('offline.noneWhat')}
          />
        ))
      )}
      {rows.length > shown ? (
        <Button kind="quiet" onPress={() => setShown(shown + STEP)}>
          {t('offline.showOlder', { count: formats.number(rows.length - shown) })}
        </Button>
      ) : null}
    </section>
  )
}
