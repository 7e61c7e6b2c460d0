// Median and p95 of one kind of work over the run.

import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Chart } from '#/ui/Chart'
import { Failed } from '#/ui/Failed'
import { ScrollBox } from '#/ui/ScrollBox'
import { Segmented } from '#/ui/Segmented'
import { Skeleton } from '#/ui/Skeleton'
import { type Point, pointsOf } from '#/workbench/points'
import type { Run } from '#/workbench/run'
import styles from '../workbench/workbench.module.css'

const POINTS = 60

interface Props {
  run: Run
  /** Which of the transactions. */
  at: number
  onAt: (at: number) => void
}

export function TimesChart({ run, at, onAt }: Props) {
  const t = useText()
  const units = useUnits()
  const chosen = run.transactions[at] ? at : 0
  const { data: points, error } = useQuery({
    queryKey: ['run-points', run.started_at, run.server, chosen],
    queryFn: () => pointsOf(run, chosen, POINTS),
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  })
  const name = run.transactions[chosen]?.name ?? ''
  const highest = points?.reduce<Point | undefined>(
    (most, one) => ((one.p95 ?? 0) > (most?.p95 ?? 0) ? one : most),
    undefined,
  )
  return (
    <section className="stack">
      {run.transactions.length > 1 ? (
        <div className="row">
          <Segmented
            label={t('bench.ofWork')}
            value={String(chosen)}
            onChange={(to) => onAt(Number(to))}
            choices={run.transactions.map((one, place) => ({
              value: String(place),
              text: one.name,
            }))}
          />
        </div>
      ) : null}
      {error ? <Failed error={error} /> : null}
      {points ? (
        <Chart
          title={t('bench.times.over')}
          sentence={t('bench.times.sentence', {
            name,
            median: units.milliseconds(run.transactions[chosen]?.statistics.p50_ms ?? 0),
            most: units.milliseconds(highest?.p95 ?? 0),
            at: units.clock(highest?.atSeconds ?? 0),
          })}
          series={[
            { id: 'median', title: t('bench.median'), values: points.map((one) => one.median) },
            { id: 'p95', title: t('bench.p95'), values: points.map((one) => one.p95) },
          ]}
          valueText={units.milliseconds}
          placeText={(index) => units.clock(points[index]?.atSeconds ?? 0)}
          tableTitle={t('bench.asTable')}
          table={<PointTable points={points} />}
        />
      ) : error ? null : (
        <Skeleton />
      )}
    </section>
  )
}

function PointTable({ points }: { points: readonly Point[] }) {
  const t = useText()
  const { number } = useFormats()
  const units = useUnits()
  const time = (value: number | undefined) => (value === undefined ? '' : units.milliseconds(value))
  return (
    <ScrollBox label={t('bench.asTable')}>
      <table className={styles.cells}>
        <thead>
          <tr>
            <th scope="col">{t('bench.at')}</th>
            {(['median', 'p95', 'users', 'perSecond', 'errors'] as const).map((id) => (
              <th key={id} scope="col" className="num">
                {t(`bench.${id}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((one) => (
            <tr key={one.atSeconds}>
              <th scope="row">{units.clock(one.atSeconds)}</th>
              <td className="num">{time(one.median)}</td>
              <td className="num">{time(one.p95)}</td>
              <td className="num">{number(one.users)}</td>
              <td className="num">{number(Math.round(one.requestsPerSecond))}</td>
              <td className="num">{number(one.errors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
