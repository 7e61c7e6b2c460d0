// What was lent in this session, newest first, with what is still asked and what was refused.

import styles from '#/desk/desk.module.css'
import type { DeskSession } from '#/desk/session'
import type { Scan } from '#/desk/types'
import { CodeCell, TitleCell } from '#/desk/ui/Cells'
import { RowMenu } from '#/desk/ui/RowMenu'
import { type Text, useText } from '#/i18n/text'
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
            return (
              <li key={scan.id} data-state={scan.state}>
                <div className={styles.line}>
                  <span className={styles['c-time']}>{scan.state === 'done' ? number : ''}</span>
                  <TitleCell scan={scan} />
                  <CodeCell scan={scan} />
                  <DueCell scan={scan} />
                  <RowMenu scan={scan} acts={actsOf(scan, session, onDate, onAdd, t)} />
                </div>
              </li>
            )
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

function actsOf(
  scan: Scan,
  session: DeskSession,
  onDate: (id: string) => void,
  onAdd: (barcode: string) => void,
  t: Text,
): Act[] {
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
  return acts
}
