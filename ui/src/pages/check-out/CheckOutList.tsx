// What was lent in this session, newest first, with what is still asked and what was refused.
import { memo } from 'react'
import styles from '#/desk/desk.module.css'
import type { DeskSession } from '#/desk/session'
import type { Scan } from '#/desk/types'
import { CodeCell, TitleCell } from '#/desk/ui/Cells'
import { RowMenu } from '#/desk/ui/RowMenu'
import { useText } from '#/i18n/text'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import type { Act } from '#/ui/Menu'
import { page } from '#/ui/Page'
import { DueCell } from './DueCell'

interface Props {
  scans: readonly Scan[]
  session: DeskSession
  hasPatron: boolean
  onDate: (id: string) => void
  /** Adds the item with this barcode. */
  onAdd: (barcode: string) => void
}

export function CheckOutList({ scans, session, hasPatron, onDate, onAdd }: Props) {
  const t = useText()
  const lent = scans.filter((scan) => scan.state === 'done').length
  let number = lent + 1
  return (
    <section
      className={cx(styles.scans, styles.outs, page.body)}
      aria-label={t('checkout.lentNow')}
    >
      <div className={styles.cols} aria-hidden="true">
        <span>{t('checkout.number')}</span>
        <span>{t('desk.title')}</span>
        <span>{t('desk.barcode')}</span>
        <span>{t('checkout.due')}</span>
        <span />
      </div>
      {scans.length ? (
        <ol>
          {scans.map((scan) => {
            if (scan.state === 'done') number -= 1
            const shown = scan.state === 'done' ? number : undefined
            return <Row key={scan.id} {...{ scan, session, onDate, onAdd }} number={shown} />
          })}
        </ol>
      ) : (
        <Empty
          icon={hasPatron ? 'scan-barcode' : 'user'}
          title={hasPatron ? t('checkout.none') : t('checkout.noPatron')}
          text={hasPatron ? t('checkout.noneWhat') : t('checkout.noPatronWhat')}
        />
      )}
    </section>
  )
}

type RowProps = Pick<Props, 'session' | 'onDate' | 'onAdd'> & { scan: Scan; number?: number }

/** A scan changes its own row only. */
const Row = memo(({ scan, number, session, onDate, onAdd }: RowProps) => {
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
  if (scan.state === 'done' && scan.loanId) {
    acts.push({
      id: 'date',
      text: t('checkout.otherDate'),
      icon: 'calendar-days',
      run: () => onDate(scan.id),
    })
  }
  if (scan.refusal?.reason === 'desk.refused.noItem') {
    acts.push({
      id: 'add',
      text: t('checkout.fastAdd'),
      icon: 'book-plus',
      run: () => onAdd(scan.barcode),
    })
  }
  if (scan.state === 'refused') {
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
        <span className={styles['c-time']}>{number}</span>
        <TitleCell scan={scan} />
        <CodeCell scan={scan} />
        <DueCell scan={scan} />
        <RowMenu scan={scan} acts={acts} />
      </div>
    </li>
  )
})
