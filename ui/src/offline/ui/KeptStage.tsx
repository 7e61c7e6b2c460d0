// The last scan that was kept, readable from a step away.
import styles from '#/desk/desk.module.css'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { cx } from '#/ui/cx'
import { Icon, type IconName } from '#/ui/Icon'
import type { Last } from '../useOfflineDesk'
import { usualDue } from '../usual'

const END = 4

export function KeptStage({ last }: { last: Last | undefined }) {
  const t = useText()
  const formats = useFormats()
  const [icon, say, what] = said()
  const isBad = last && ('failed' in last || ('card' in last && last.blocked))
  return (
    <section
      className={cx(styles.stage, isBad ? 'blocked' : 'offline')}
      aria-label={t('desk.lastScan')}
    >
      <span className={styles.mark}>
        <Icon name={icon} />
      </span>
      <div className="cut">
        {say ? <p className={cx(styles.say, 'cut')}>{say}</p> : null}
        <p className={cx(styles.what, 'cut')}>{what}</p>
      </div>
    </section>
  )

  function said(): [IconName, string, string] {
    if (!last) return ['scan-barcode', '', t('offline.emptyOut')]
    if ('failed' in last)
      return ['octagon-x', t('offline.notKept'), `${last.failed} · ${t('offline.notKeptWhat')}`]
    if ('card' in last)
      return [
        last.blocked ? 'octagon-x' : 'id-card',
        t('offline.cardEnds', { end: last.card.slice(-END) }),
        t(last.blocked ? 'offline.blocked' : 'checkout.scanItems'),
      ]
    const { entry } = last
    const item = t('offline.itemEnds', { end: entry.itemBarcode.slice(-END) })
    if (entry.kind === 'checkIn')
      return ['archive', t('offline.aside'), `${item}. ${t('offline.asideWhat')}`]
    if (entry.kind === 'inHouse')
      return ['armchair', t('offline.usedInHouse'), `${item}. ${t('offline.usedWhat')}`]
    const due = usualDue(entry.at)
    return [
      'hard-drive-download',
      due ? t('offline.keptDue', { date: formats.day(due) }) : t('offline.kept'),
      `${item}. ${t(due ? 'offline.keptWhat' : 'offline.keptNoDate')}`,
    ]
  }
}
