// Imports, exports and reindexing, those that run first.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Outcome } from '#/ui/Badge'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import type { IconName } from '#/ui/icons'
import type { Kind } from '#/ui/kinds'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { type BackgroundJob, type JobState, jobsQuery } from '#/workbench/jobs'
import { Queues } from './Queues'

const STATES: Record<
  JobState,
  [Kind, IconName, 'running' | 'done' | 'doneWithFaults' | 'stopped']
> = {
  running: ['question', 'refresh-cw', 'running'],
  done: ['ok', 'check', 'done'],
  faults: ['blocked', 'circle-x', 'doneWithFaults'],
  stopped: ['offline', 'ban', 'stopped'],
}

export function JobsTab() {
  const t = useText()
  const { number, dayTime } = useFormats()
  const { data, error, refetch } = useQuery(jobsQuery)
  const columns: Column<BackgroundJob>[] = [
    {
      id: 'name',
      title: t('bench.job'),
      kind: 'main',
      cell: (job) =>
        job.page ? (
          <Link to="/data/job/$jobId" params={{ jobId: job.page }} search={{}} className="title">
            <bdi>{job.name}</bdi>
          </Link>
        ) : (
          <bdi>{job.name}</bdi>
        ),
    },
    {
      id: 'of',
      title: t('bench.kind'),
      width: 12,
      soft: true,
      cell: ({ of }) => t(`bench.job.${of}`),
    },
    {
      id: 'state',
      title: t('data.state'),
      width: 12,
      cell: ({ state }) => {
        const [kind, icon, word] = STATES[state]
        return (
          <Outcome kind={kind} icon={icon}>
            {t(`data.${word}`)}
          </Outcome>
        )
      },
    },
    {
      id: 'done',
      title: t('data.records'),
      width: 10,
      kind: 'num',
      named: true,
      cell: ({ done, total }) =>
        total && total !== done
          ? t('data.pageOf', { at: number(done), last: number(total) })
          : number(done),
    },
    {
      id: 'started',
      title: t('data.started'),
      width: 11,
      soft: true,
      cell: ({ startedAt }) => (startedAt ? dayTime(startedAt) : ''),
    },
  ]
  return (
    <>
      <section className="stack" aria-labelledby="bench-jobs">
        <h2 id="bench-jobs">{t('bench.tab.jobs')}</h2>
        {error ? <Failed error={error} retry={() => void refetch()} /> : null}
        {data?.lacking.map((permission) => (
          <p key={permission} className="sm soft">
            {t('shell.needsPermission', { permission })}
          </p>
        ))}
        {data?.jobs.length ? (
          <Table
            label={t('bench.tab.jobs')}
            columns={columns}
            rows={rowsOf(data.jobs)}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name}
          />
        ) : data ? (
          <Empty icon="arrow-down-up" title={t('bench.noJobs')} text={t('bench.noJobsWhat')} />
        ) : null}
        <p className="sm">
          <Link to="/data" search={{}}>
            {t('bench.allJobs')}
          </Link>
        </p>
      </section>
      <Queues />
    </>
  )
}
