// Until when an item is lent, or why it is not.
import styles from '#/desk/desk.module.css'
import type { Scan } from '#/desk/types'
import { dueText, saidOf } from '#/desk/words'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Outcome } from '#/ui/Badge'
import { cx } from '#/ui/cx'
import { Spinner } from '#/ui/Spinner'

export function DueCell({ scan }: { scan: Scan }) {
  const t = useText()
  const formats = useFormats()
  const due = scan.outcome?.dueDate
  if (scan.state === 'done' && due) {
    return (
      <span className={cx(styles['c-due'], styles.two)}>
        <span className="medium cut">{dueText(due, scan.at, formats)}</span>
        <bdi className="cut">{scan.outcome?.policy}</bdi>
      </span>
    )
  }
  const said = saidOf(scan, t, formats, 'checkOut')
  const isAsking = scan.state === 'asking' || scan.state === 'waiting'
  return (
    <span className={cx(styles['c-due'], styles.two)}>
      {isAsking ? (
        <span className="row">
          <Spinner />
          {said.word}
        </span>
      ) : (
        <Outcome kind={said.kind} icon={said.icon}>
          <span className="cut">{said.word}</span>
        </Outcome>
      )}
      <bdi className="cut" title={said.place}>
        {said.place}
      </bdi>
    </span>
  )
}
