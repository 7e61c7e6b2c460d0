// How far the job is, and how many records it has made, changed, left alone and failed with.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { isOver, type Job, type Summary } from '#/transfer/jobs'
import { jobState } from '#/transfer/words'
import { Outcome } from '#/ui/Badge'
import card from '#/ui/Card.module.css'
import { cx } from '#/ui/cx'
import type { IconName } from '#/ui/icons'
import type { Kind } from '#/ui/kinds'
import styles from './import-job.module.css'

const WIDTH = 1000

export function JobProgress({ job, summary }: { job: Job; summary: Summary }) {
  const t = useText()
  const formats = useFormats()
  const { total = 0, current = 0 } = job.progress ?? {}
  const sums =
    summary.instanceSummary ??
    summary.authoritySummary ??
    summary.orderSummary ??
    summary.invoiceSummary ??
    summary.sourceRecordSummary
  const failed = summary.totalErrors ?? 0
  const parts: [Kind, IconName, 'created' | 'updated' | 'unchanged' | 'failed', number][] = [
    ['ok', 'plus', 'created', sums?.totalCreatedEntities ?? 0],
    ['transit', 'refresh-cw', 'updated', sums?.totalUpdatedEntities ?? 0],
    [
      'offline',
      'equal',
      'unchanged',
      // What failed is counted among the discarded, too.
      Math.max(0, (sums?.totalDiscardedEntities ?? 0) - (sums?.totalErrors ?? 0)),
    ],
    ['blocked', 'circle-x', 'failed', failed],
  ]
  const { kind, icon, word } = jobState(job, t)
  let from = 0
  return (
    <section className={cx(card.card, 'stack wide')} aria-label={t('data.progress')}>
      <div className="row wrap">
        <p className="strong" role="status">
          <Outcome kind={kind} icon={icon}>
            {word}
          </Outcome>
        </p>
        <p className="soft">
          {t('data.ofRecords', { current: formats.number(current), total: formats.number(total) })}
        </p>
      </div>
      <svg
        className={styles.bar}
        viewBox={`0 0 ${WIDTH} 8`}
        preserveAspectRatio="none"
        role="progressbar"
        aria-label={t('data.progress')}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={isOver(job) ? total : current}
      >
        {parts.map(([tone, , name, count]) => {
          const width = total ? (count / total) * WIDTH : 0
          from += width
          return <rect key={name} className={tone} x={from - width} width={width} height={8} />
        })}
      </svg>
      <dl className={card.figs}>
        {parts.map(([tone, sign, name, count]) => (
          <div key={name} className={styles.figure}>
            <dt className="sm">
              <Outcome kind={tone} icon={sign}>
                {t(`data.${name}`)}
              </Outcome>
            </dt>
            <dd>{formats.number(count)}</dd>
          </div>
        ))}
      </dl>
      <p className="sm muted">
        {t('data.alsoMade', {
          holdings: formats.number(summary.holdingSummary?.totalCreatedEntities ?? 0),
          items: formats.number(summary.itemSummary?.totalCreatedEntities ?? 0),
        })}{' '}
        {isOver(job) ? '' : t('data.mayLeave')}
      </p>
    </section>
  )
}
