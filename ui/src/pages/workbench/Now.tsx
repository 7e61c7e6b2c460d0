// Who is slow: the requests that run now, and the routes by their times. A server without these routes is said to
// have none, with what to do instead.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { type RouteTimes, type Running, runningQuery, timesQuery } from '#/workbench/server'
import { Refused } from './Refused'
import styles from './workbench.module.css'

export function Now() {
  const t = useText()
  const { number } = useFormats()
  const units = useUnits()
  const { data: running } = useQuery(runningQuery)
  const { data: times } = useQuery(timesQuery)
  const route = (one: { method: string; route: string }) => (
    <code className={styles.sql}>{`${one.method} ${one.route}`}</code>
  )
  const ofRunning: Column<Running>[] = [
    { id: 'route', title: t('bench.request'), kind: 'main', cell: route },
    {
      id: 'tenant',
      title: t('bench.tenant'),
      width: 10,
      soft: true,
      cell: (one) => <bdi>{one.tenant}</bdi>,
    },
    {
      id: 'since',
      title: t('bench.since'),
      width: 8,
      kind: 'num',
      named: true,
      cell: (one) => units.milliseconds(one.elapsedMilliseconds),
    },
  ]
  const time = (id: 'p50' | 'p95' | 'max', title: string): Column<RouteTimes> => ({
    id,
    title,
    width: 7,
    kind: 'num',
    named: true,
    cell: (one) => units.milliseconds(one[`${id}Milliseconds`]),
  })
  const ofTimes: Column<RouteTimes>[] = [
    { id: 'route', title: t('bench.request'), kind: 'main', cell: route },
    {
      id: 'requests',
      title: t('bench.times'),
      width: 7,
      kind: 'num',
      named: true,
      cell: (one) => number(one.requests),
    },
    time('p50', t('bench.median')),
    time('p95', t('bench.p95')),
    time('max', t('bench.longest')),
  ]
  const slow = times?.state === 'there' ? times.data.times : []
  const now = running?.state === 'there' ? running.data.requests : []
  return (
    <section className="stack" aria-labelledby="bench-slow">
      <h2 id="bench-slow">{t('bench.slow')}</h2>
      {times?.state === 'missing' ? (
        <p className="soft sm">
          {t('bench.noTimes')}{' '}
          <Link to="/workbench" search={{ tab: 'trace' }}>
            {t('bench.tab.trace')}
          </Link>
        </p>
      ) : (
        <Refused of={times} missing="" />
      )}
      {slow.length ? (
        <Table
          label={t('bench.slow')}
          columns={ofTimes}
          rows={rowsOf(slow)}
          keyOf={(one) => `${one.method} ${one.route} ${one.tenant}`}
          nameOf={(one) => one.route}
        />
      ) : null}
      {now.length ? (
        <>
          <h3>{t('bench.now')}</h3>
          <Table
            label={t('bench.now')}
            columns={ofRunning}
            rows={rowsOf(now)}
            keyOf={(one) => one.id}
            nameOf={(one) => one.route}
          />
        </>
      ) : null}
    </section>
  )
}
