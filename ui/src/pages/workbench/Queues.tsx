// Background work of the areas: how much waits in each queue, and what was tried in vain.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Outcome } from '#/ui/Badge'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { type Queue, type QueuedJob, queuesQuery } from '#/workbench/jobQueues'
import { Refused } from './Refused'

export function Queues() {
  const t = useText()
  const { number, dayTime } = useFormats()
  const { data } = useQuery(queuesQuery)
  const queues = data?.state === 'there' ? data.data.queues : []
  const tried =
    data?.state === 'there' ? data.data.jobs.filter(({ attempts }) => (attempts ?? 0) > 1) : []
  const count = (id: 'waiting' | 'running' | 'failed'): Column<Queue> => ({
    id,
    title: t(`bench.queue.${id}`),
    width: 7,
    kind: 'num',
    named: true,
    cell: (one) => number(one[id]),
  })
  const columns: Column<Queue>[] = [
    {
      id: 'queue',
      title: t('bench.queue'),
      kind: 'main',
      cell: ({ queue }) => <bdi dir="ltr">{queue}</bdi>,
    },
    count('waiting'),
    count('running'),
    count('failed'),
    {
      id: 'oldest',
      title: t('bench.oldest'),
      width: 11,
      soft: true,
      cell: ({ oldest }) => (oldest ? dayTime(oldest) : ''),
    },
  ]
  return (
    <section className="stack" aria-labelledby="bench-queues">
      <h2 id="bench-queues">{t('bench.queues')}</h2>
      <Refused of={data} missing={t('bench.noRoute')} />
      {queues.length ? (
        <Table
          label={t('bench.queues')}
          columns={columns}
          rows={rowsOf(queues)}
          keyOf={({ queue }) => queue}
          nameOf={({ queue }) => queue}
        />
      ) : data?.state === 'there' ? (
        <p className="sm soft">{t('bench.noQueues')}</p>
      ) : null}
      {tried.length ? (
        <ul className="stack">
          {tried.map((job) => (
            <Tried key={job.queue + job.id} job={job} />
          ))}
        </ul>
      ) : null}
    </section>
  )
}

function Tried({ job: { queue, attempts = 0, reason } }: { job: QueuedJob }) {
  const t = useText()
  return (
    <li className="sm">
      <Outcome kind="fee" icon="triangle-alert">
        {t('bench.tried', { queue, count: attempts })}
      </Outcome>
      {reason ? (
        <p className="soft" dir="auto">
          {reason}
        </p>
      ) : null}
    </li>
  )
}
