// The slips of this session: what for, printed or not; one print for all that wait.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Badge } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Icon } from '#/ui/Icon'
import styles from '../desk.module.css'
import type { Scan } from '../types'

const SHOWN_MAX = 8

interface Props {
  scans: readonly Scan[]
  atOnce: boolean
  onPrint: (scans: readonly Scan[]) => void
}

export function SlipList({ scans, atOnce, onPrint }: Props) {
  const t = useText()
  const formats = useFormats()
  const slips = scans.filter((scan) => scan.slip)
  const waiting = slips.filter((scan) => !scan.slip?.printed)
  return (
    <section className="stack tight">
      <div className="row">
        <h2>{t('desk.slips')}</h2>
        {atOnce ? (
          <Badge kind="ok" icon="printer" push>
            {t('desk.slipsAtOnce')}
          </Badge>
        ) : null}
      </div>
      {slips.length ? (
        <ul className={styles.slips}>
          {slips.slice(0, SHOWN_MAX).map((scan) => (
            <li key={scan.id} className={scan.outcome?.kind}>
              <Icon name={scan.outcome?.icon ?? 'printer'} />
              <div>
                <p className="medium">
                  <bdi>{scan.outcome?.place ?? scan.item?.title}</bdi>
                </p>
                <p className="muted">
                  {formats.clock(scan.at)} · {t(`desk.slip.${scan.slip?.kind ?? 'hold'}`)}
                  {scan.slip?.printed ? ` · ${t('desk.printed')}` : ''}
                </p>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <p className="sm muted">{t('desk.noSlips')}</p>
      )}
      {waiting.length ? (
        <div className="row">
          <Button small icon="printer" keys="Mod+P" onPress={() => onPrint(waiting)}>
            {t('desk.printSlips', { count: waiting.length })}
          </Button>
        </div>
      ) : null}
    </section>
  )
}
