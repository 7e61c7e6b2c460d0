// The traces that the server still has, the newest first.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { type TraceLine, tracesQuery } from '#/workbench/trace'
import styles from './workbench.module.css'

export function TraceList() {
  const t = useText()
  const { number, dayTime } = useFormats()
  const units = useUnits()
  const { data } = useQuery(tracesQuery)
  const traces = data?.state === 'there' ? data.data.traces : []
  if (!traces.length) return null
  const columns: Column<TraceLine>[] = [
    {
      id: 'route',
      title: t('bench.request'),
      kind: 'main',
      cell: ({ id, route }) => (
        <Link to="/workbench" search={{ tab: 'trace', trace: id }} tabIndex={-1}>
          <code className={styles.sql}>{route}</code>
        </Link>
      ),
    },
    {
      id: 'status',
      title: t('bench.status'),
      width: 5,
      kind: 'num',
      named: true,
      cell: ({ status }) => number(status),
    },
    {
      id: 'whole',
      title: t('bench.whole'),
      width: 7,
      kind: 'num',
      named: true,
      cell: (one) => units.milliseconds(one.milliseconds),
    },
    {
      id: 'sql',
      title: t('bench.inSql'),
      width: 7,
      kind: 'num',
      named: true,
      cell: (one) => units.milliseconds(one.sqlMilliseconds),
    },
    { id: 'at', title: t('bench.at'), width: 11, soft: true, cell: ({ at }) => dayTime(at) },
  ]
  return (
    <section className="stack" aria-labelledby="bench-traces">
      <h2 id="bench-traces">{t('bench.lastTraces')}</h2>
      <Table
        label={t('bench.lastTraces')}
        columns={columns}
        rows={rowsOf(traces)}
        keyOf={({ id }) => id}
        nameOf={({ route }) => route}
      />
    </section>
  )
}
