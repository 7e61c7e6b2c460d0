// The runs of a trend with their figures, the latest first: what the chart draws, and the way to each report.
import { Link, useNavigate } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { changeOf, earlierOf, type Measured, type Percentile } from '#/workbench/trends'
import { ChangeText } from './ChangeText'

export function TrendRuns({ runs, name }: { runs: readonly Measured[]; name: string }) {
  const t = useText()
  const { number, dayTime } = useFormats()
  const units = useUnits()
  const navigate = useNavigate()
  const figure = (percentile: Percentile): Column<Measured>[] => [
    {
      id: percentile,
      title: t(percentile === 'p50' ? 'bench.median' : 'bench.p95'),
      width: 6,
      kind: 'num',
      named: true,
      cell: ({ of }) => {
        const times = of.get(name)
        return times ? units.milliseconds(times[percentile]) : ''
      },
    },
    {
      id: `${percentile}-change`,
      title: t('trend.change'),
      width: 10,
      kind: 'num',
      named: true,
      cell: (run) => {
        const before = earlierOf(runs, runs.indexOf(run), name)
        const change = changeOf(before, run.of.get(name), percentile)
        return change ? <ChangeText change={change} /> : ''
      },
    },
  ]
  const columns: Column<Measured>[] = [
    {
      id: 'at',
      title: t('bench.run'),
      kind: 'main',
      cell: (run) => (
        <>
          <Link
            to="/workbench/report/$runId"
            params={{ runId: run.id }}
            search={{}}
            className="title"
          >
            {dayTime(run.startedAt)}
          </Link>
          <p className="sm soft">
            <bdi>{run.name}</bdi>
          </p>
        </>
      ),
    },
    {
      id: 'version',
      title: t('bench.version'),
      width: 7,
      soft: true,
      cell: ({ version }) => <bdi>{version ?? ''}</bdi>,
    },
    {
      id: 'rate',
      title: t('bench.perSecond'),
      width: 9,
      kind: 'num',
      named: true,
      cell: (run) => number(Math.round(run.requestsPerSecond)),
    },
    {
      id: 'errors',
      title: t('bench.errors'),
      width: 8,
      kind: 'num',
      named: true,
      cell: ({ errors, requests }) =>
        errors ? `${number(errors)} (${units.percent(errors / requests)})` : number(0),
    },
    ...figure('p50'),
    ...figure('p95'),
  ]
  return (
    <section className="stack" aria-labelledby="trend-runs">
      <h2 id="trend-runs">{t('trend.runs', { name })}</h2>
      <Table
        label={t('trend.runs', { name })}
        columns={columns}
        rows={rowsOf([...runs].reverse())}
        keyOf={({ id }) => id}
        nameOf={({ startedAt }) => dayTime(startedAt)}
        onOpen={({ id }) =>
          void navigate({ to: '/workbench/report/$runId', params: { runId: id }, search: {} })
        }
      />
    </section>
  )
}
