// Until when an item is lent, or why it is not.
import styles from '#/desk/desk.module.css'
import type { Scan } from '#/desk/types'
import { saidOf } from '#/desk/words'
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
    // Hours matter for what is lent for less than a day.
    const isShort = Date.parse(due) - scan.at < 24 * 3600_000
    return (
      <span className={cx(styles['c-due'], styles.two)}>
        <span className="medium cut">{isShort ? formats.dayTime(due) : formats.day(due)}</span>
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
