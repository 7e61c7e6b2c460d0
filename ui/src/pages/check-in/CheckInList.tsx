// The session's items, newest first.
import { memo } from 'react'
import styles from '#/desk/desk.module.css'
import type { DeskSession } from '#/desk/session'
import type { Scan } from '#/desk/types'
import { CodeCell, FeeCell, OutcomeCell, TimeCell, TitleCell } from '#/desk/ui/Cells'
import { RowMenu } from '#/desk/ui/RowMenu'
import { useText } from '#/i18n/text'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import type { Act } from '#/ui/Menu'
import { page } from '#/ui/Page'

interface Props {
  scans: readonly Scan[]
  session: DeskSession
  onPrint: (scans: readonly Scan[]) => void
}

export function CheckInList({ scans, session, onPrint }: Props) {
  const t = useText()
  return (
    <section className={cx(styles.scans, page.body)} aria-label={t('desk.itemsOfSession')}>
      <div className={styles.cols} aria-hidden="true">
        <span>{t('desk.time')}</span>
        <span>{t('desk.whatToDo')}</span>
        <span>{t('desk.title')}</span>
        <span>{t('desk.barcode')}</span>
        <span className="num">{t('desk.owed')}</span>
        <span />
      </div>
      {scans.length ? (
        <ol>
          {scans.map((scan) => (
            <Row key={scan.id} scan={scan} session={session} onPrint={onPrint} />
          ))}
        </ol>
      ) : (
        <Empty icon="scan-barcode" title={t('checkin.none')} text={t('checkin.noneWhat')} />
      )}
    </section>
  )
}

/** A scan changes its own row only: the others stay as they are, however many there are. */
const Row = memo(({ scan, session, onPrint }: Omit<Props, 'scans'> & { scan: Scan }) => {
  const t = useText()
  const acts: Act[] = []
  if (scan.state === 'left') {
    acts.push({
      id: 'ask',
      text: t('desk.answerNow'),
      icon: 'circle-help',
      run: () => session.reopen(scan.id),
    })
  }
  if (scan.slip)
    acts.push({
      id: 'slip',
      text: t('desk.printSlip'),
      icon: 'printer',
      run: () => onPrint([scan]),
    })
  if (scan.state === 'refused' || scan.state === 'done') {
    acts.push({
      id: 'again',
      text: t('desk.scanAgain'),
      icon: 'rotate-ccw',
      run: () => session.scan(scan.barcode),
    })
  }
  return (
    <li data-state={scan.state}>
      <div className={styles.line}>
        <TimeCell scan={scan} />
        <OutcomeCell scan={scan} act="checkIn" />
        <TitleCell scan={scan} />
        <CodeCell scan={scan} />
        <FeeCell scan={scan} />
        <RowMenu scan={scan} acts={acts} />
      </div>
    </li>
  )
})
