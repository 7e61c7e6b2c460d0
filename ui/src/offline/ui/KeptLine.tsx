// One kept scan as a row.
import styles from '#/desk/desk.module.css'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Outcome } from '#/ui/Badge'
import { Code } from '#/ui/Code'
import { cx } from '#/ui/cx'
import { LateMenu } from '#/ui/LateMenu'
import { queue } from '../queue'
import type { Kept } from '../types'
import { KINDS, stateWords } from '../words'

export function KeptLine({ row }: { row: Kept }) {
  const t = useText()
  const formats = useFormats()
  const { entry, state, result, number } = row
  const said = stateWords(row, t, formats)
  const label = t('offline.actions', { number: formats.number(number) })
  const today = new Date(entry.at).toDateString() === new Date().toDateString()
  const kind = t(KINDS[entry.kind])
  const title = result?.item?.title
  const parts = [
    title ? kind : undefined,
    today ? formats.clock(entry.at) : formats.dayTime(entry.at),
    entry.userBarcode ? t('offline.toCard', { end: entry.userBarcode.slice(-4) }) : entry.desk.name,
  ]
  const takeBack = () =>
    void queue.settle({
      id: entry.id,
      state: 'dropped',
      at: Date.now(),
      why: t('offline.takenBack'),
    })
  return (
    <div className={styles.line}>
      <span className={styles['c-time']}>{formats.number(number)}</span>
      <span className={cx(styles['c-title'], styles.two)}>
        <bdi className={cx(styles.title, 'cut')}>{title ?? kind}</bdi>
        <span className="cut">{parts.filter(Boolean).join(' · ')}</span>
      </span>
      <span className={styles['c-code']}>
        <Code>{entry.itemBarcode}</Code>
      </span>
      <span className={cx(styles['c-due'], styles.two)}>
        <Outcome kind={said.kind} icon={said.icon}>
          <span className="cut">{said.word}</span>
        </Outcome>
        {said.place ? (
          <bdi className="cut" title={said.place}>
            {said.place}
          </bdi>
        ) : null}
      </span>
      <span className={styles['c-menu']}>
        {state === 'kept' || state === 'aside' ? (
          <LateMenu
            label={label}
            acts={[{ id: 'back', text: t('offline.takeBack'), icon: 'x', run: takeBack }]}
          />
        ) : null}
      </span>
    </div>
  )
}
