// The measurements that this server has run or runs.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Outcome } from '#/ui/Badge'
import type { IconName } from '#/ui/icons'
import type { Kind } from '#/ui/kinds'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { type ServerRun, serverRunsQuery } from '#/workbench/serverRuns'

export const RUN_STATES: Record<ServerRun['state'], [Kind, IconName]> = {
  running: ['question', 'refresh-cw'],
  ended: ['ok', 'check'],
  stopped: ['offline', 'ban'],
  failed: ['blocked', 'circle-x'],
}

export function ServerRuns() {
  const t = useText()
  const { number, dayTime } = useFormats()
  const units = useUnits()
  const navigate = useNavigate()
  const { data } = useQuery(serverRunsQuery)
  const runs = data?.state === 'there' ? data.data.runs : []
  if (!runs.length) return null
  const columns: Column<ServerRun>[] = [
    {
      id: 'name',
      title: t('bench.run'),
      kind: 'main',
      cell: (one) => (
        <Link
          to="/workbench/report/$runId"
          params={{ runId: one.id }}
          search={{}}
          className="title"
        >
          <bdi>{one.workload}</bdi>
        </Link>
      ),
    },
    {
      id: 'state',
      title: t('data.state'),
      width: 9,
      cell: ({ state }) => {
        const [kind, icon] = RUN_STATES[state] ?? RUN_STATES.failed
        return (
          <Outcome kind={kind} icon={icon}>
            {t(`bench.state.${state}`)}
          </Outcome>
        )
      },
    },
    {
      id: 'users',
      title: t('bench.users'),
      width: 8,
      kind: 'num',
      named: true,
      cell: (one) => number(one.virtualUsers),
    },
    {
      id: 'seconds',
      title: t('bench.duration'),
      width: 8,
      kind: 'num',
      named: true,
      cell: (one) => units.clock(one.seconds),
    },
    {
      id: 'at',
      title: t('bench.at'),
      width: 12,
      soft: true,
      cell: (one) => dayTime(one.startedAt),
    },
  ]
  return (
    <section className="stack" aria-labelledby="bench-server-runs">
      <h2 id="bench-server-runs">{t('bench.serverRuns')}</h2>
      <Table
        label={t('bench.serverRuns')}
        columns={columns}
        rows={rowsOf(runs)}
        keyOf={({ id }) => id}
        nameOf={({ workload }) => workload}
        onOpen={({ id }) =>
          void navigate({ to: '/workbench/report/$runId', params: { runId: id }, search: {} })
        }
      />
    </section>
  )
}
