// A measurement of the server while it runs, and how it ended: progress, stop, what came from answer to answer.

import { useText } from '#/i18n/text'
import { useUnits } from '#/lib/units'
import { Outcome } from '#/ui/Badge'
import card from '#/ui/Card.module.css'
import { Chart } from '#/ui/Chart'
import { cx } from '#/ui/cx'
import { ScrollBox } from '#/ui/ScrollBox'
import type { LivePoint } from '#/workbench/live'
import type { ServerRunReport } from '#/workbench/serverRuns'
import { RUN_STATES } from '../workbench/ServerRuns'
import styles from '../workbench/workbench.module.css'

interface Props {
  run: ServerRunReport
  points: readonly LivePoint[]
}

export function LiveRun({ run, points }: Props) {
  const t = useText()
  const units = useUnits()
  const [kind, icon] = RUN_STATES[run.state] ?? RUN_STATES.failed
  const last = points.at(-1)
  return (
    <>
      <section className={cx(card.card, 'stack')} aria-label={t('bench.progress')}>
        <div className="row wrap">
          <p className="strong" role="status">
            <Outcome kind={kind} icon={icon}>
              {t(`bench.state.${run.state}`)}
            </Outcome>
          </p>
          <p className="soft tnum">
            {t('bench.secondsOf', {
              at: units.clock(run.seconds),
              whole: units.clock(run.durationSeconds),
            })}
          </p>
        </div>
        <progress
          className={styles.share}
          value={Math.min(run.seconds, run.durationSeconds)}
          max={run.durationSeconds}
          aria-label={t('bench.progress')}
        />
        {run.reason ? (
          <p className="sm soft" dir="auto">
            {run.reason}
          </p>
        ) : null}
        {run.state === 'running' ? <p className="sm muted">{t('data.mayLeave')}</p> : null}
      </section>
      {points.length > 1 ? (
        <Chart
          title={t('bench.perSecond')}
          sentence={t('bench.liveSentence', {
            rate: units.decimal(last?.requestsPerSecond ?? 0),
            at: units.clock(last?.atSeconds ?? 0),
          })}
          series={[
            {
              id: 'rate',
              title: t('bench.perSecond'),
              values: points.map((one) => one.requestsPerSecond),
            },
          ]}
          valueText={units.decimal}
          placeText={(index) => units.clock(points[index]?.atSeconds ?? 0)}
          tableTitle={t('bench.asTable')}
          table={<PointTable points={points} />}
        />
      ) : null}
    </>
  )
}

function PointTable({ points }: { points: readonly LivePoint[] }) {
  const t = useText()
  const units = useUnits()
  const time = (value: number | undefined) => (value === undefined ? '' : units.milliseconds(value))
  return (
    <ScrollBox label={t('bench.asTable')}>
      <table className={styles.cells}>
        <thead>
          <tr>
            <th scope="col">{t('bench.at')}</th>
            <th scope="col" className="num">
              {t('bench.perSecond')}
            </th>
            <th scope="col" className="num">
              {t('bench.median')}
            </th>
            <th scope="col" className="num">
              {t('bench.p95')}
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map((one) => (
            <tr key={one.atSeconds}>
              <th scope="row">{units.clock(one.atSeconds)}</th>
              <td className="num">{units.decimal(one.requestsPerSecond)}</td>
              <td className="num">{time(one.median)}</td>
              <td className="num">{time(one.p95)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
