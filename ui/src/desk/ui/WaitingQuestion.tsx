// A question that waits for those before it.
import { useText } from '#/i18n/text'
import { cx } from '#/ui/cx'
import styles from '../desk.module.css'
import type { Scan } from '../types'
import type { DeskAct } from '../words'
import { CodeCell, FeeCell, OutcomeCell, TimeCell, TitleCell } from './Cells'

export function WaitingQuestion({ scan, act }: { scan: Scan; act: DeskAct }) {
  const t = useText()
  const isOverride = scan.questions[0]?.kind === 'override'
  return (
    <div className={cx(styles.ask, styles.waits)}>
      <div className={styles.scans}>
        <div className={styles.line}>
          <TimeCell scan={scan} />
          <OutcomeCell
            scan={scan}
            act={act}
            word={isOverride ? undefined : t('desk.nextQuestion')}
          />
          <TitleCell scan={scan} />
          <CodeCell scan={scan} />
          <FeeCell scan={scan} />
        </div>
      </div>
    </div>
  )
}
