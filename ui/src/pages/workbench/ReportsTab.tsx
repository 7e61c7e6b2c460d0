// Measurements: start one, open its record, keep it, compare two.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { BulkBar } from '#/ui/BulkBar'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { RowActs } from '#/ui/RowActs'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { forgetRun, type Kept, keptQuery } from '#/workbench/runs'
import { OpenRun } from './OpenRun'
import { RunForm } from './RunForm'
import { ServerRuns } from './ServerRuns'

const PAIR = 2

export function ReportsTab() {
  const t = useText()
  const { number, dayTime } = useFormats()
  const navigate = useNavigate()
  const { data: kept } = useQuery(keptQuery)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const open = (runId: string, other?: string) =>
    void navigate({ to: '/workbench/report/$runId', params: { runId }, search: { with: other } })
  const columns: Column<Kept>[] = [
    {
      id: 'name',
      title: t('bench.run'),
      kind: 'main',
      cell: (one) => (
        <>
          <Link
            to="/workbench/report/$runId"
            params={{ runId: one.id }}
            search={{}}
            className="title"
          >
            <bdi>{one.workload}</bdi>
          </Link>
          <p className="sm soft">
            <bdi>{one.name}</bdi>
          </p>
        </>
      ),
    },
    {
      id: 'tenant',
      title: t('bench.tenant'),
      width: 9,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{one.tenant}</bdi>,
    },
    {
      id: 'users',
      title: t('bench.users'),
      width: 6,
      kind: 'num',
      named: true,
      cell: (one) => number(one.virtualUsers),
    },
    {
      id: 'rate',
      title: t('bench.perSecond'),
      width: 9,
      kind: 'num',
      named: true,
      cell: (one) => number(Math.round(one.requestsPerSecond)),
    },
    {
      id: 'errors',
      title: t('bench.errors'),
      width: 6,
      kind: 'num',
      named: true,
      cell: (one) => number(one.errors),
    },
    {
      id: 'at',
      title: t('bench.at'),
      width: 12,
      soft: true,
      cell: (one) => dayTime(one.startedAt),
    },
    {
      id: 'acts',
      title: '',
      kind: 'menu',
      width: 3,
      cell: (one) => (
        <RowActs
          name={one.workload}
          acts={[
            {
              id: 'forget',
              text: t('bench.forget'),
              icon: 'trash-2',
              run: () => void forgetRun(one.id),
            },
          ]}
        />
      ),
    },
  ]
  const pair = [...chosen].filter((id) => kept?.some((one) => one.id === id))
  return (
    <>
      <RunForm />
      <ServerRuns />
      <section className="stack" aria-labelledby="bench-runs">
        <h2 id="bench-runs">{t('bench.runs')}</h2>
        <OpenRun onOpened={(id) => open(id)} />
        {kept?.length ? (
          <>
            <BulkBar count={pair.length} total={kept.length} onClear={() => setChosen(new Set())}>
              <Button
                small
                icon="arrow-left-right"
                disabled={pair.length === PAIR ? undefined : t('bench.chooseTwo')}
                onPress={() => open(pair[0] ?? '', pair[1])}
              >
                {t('bench.compare')}
              </Button>
            </BulkBar>
            <Table
              label={t('bench.runs')}
              columns={columns}
              rows={rowsOf(kept)}
              keyOf={({ id }) => id}
              nameOf={({ workload }) => workload}
              selection={{ keys: chosen, onChange: setChosen }}
              onOpen={({ id }) => open(id)}
            />
          </>
        ) : kept ? (
          <Empty icon="activity" title={t('bench.noRuns')} text={t('bench.noRunsWhat')} />
        ) : null}
      </section>
    </>
  )
}
