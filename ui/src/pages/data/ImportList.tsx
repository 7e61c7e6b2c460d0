// Import jobs, newest first; running ones are looked at again.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { type Job, jobsQuery } from '#/transfer/jobs'
import { jobState, personOf } from '#/transfer/words'
import { Outcome } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { type Column, rowsOf, Table } from '#/ui/Table'

export function ImportList() {
  const t = useText()
  const formats = useFormats()
  const navigate = useNavigate()
  const [pages, setPages] = useState(1)
  const { data, error, refetch } = useQuery({
    ...jobsQuery(pages),
    placeholderData: keepPreviousData,
  })
  const jobs = data?.jobExecutions ?? []
  const total = data?.totalRecords ?? 0
  const columns: Column<Job>[] = [
    {
      id: 'file',
      title: t('data.file'),
      kind: 'main',
      cell: (job) => (
        <Link to="/data/job/$jobId" params={{ jobId: job.id }} search={{}} className="title">
          <bdi>{job.fileName ?? formats.number(job.hrId)}</bdi>
        </Link>
      ),
    },
    {
      id: 'state',
      title: t('data.state'),
      width: 12,
      cell: (job) => {
        const { kind, icon, word } = jobState(job, t)
        return (
          <Outcome kind={kind} icon={icon}>
            {word}
          </Outcome>
        )
      },
    },
    {
      id: 'records',
      title: t('data.records'),
      width: 8,
      kind: 'num',
      cell: ({ progress }) => formats.number(progress?.current ?? progress?.total ?? 0),
    },
    {
      id: 'profile',
      title: t('data.profile'),
      width: 16,
      soft: true,
      wide: true,
      cell: (job) => <bdi>{job.jobProfileInfo?.name}</bdi>,
    },
    {
      id: 'by',
      title: t('data.by'),
      width: 10,
      soft: true,
      wide: true,
      cell: (job) => <bdi>{personOf(job.runBy)}</bdi>,
    },
    {
      id: 'started',
      title: t('data.started'),
      width: 10,
      soft: true,
      cell: (job) => (job.startedDate ? formats.dayTime(job.startedDate) : ''),
    },
  ]
  return (
    <section className="stack">
      <h2>{t('data.jobs')}</h2>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {jobs.length ? (
        <Table
          label={t('data.jobs')}
          columns={columns}
          rows={rowsOf(jobs)}
          keyOf={(job) => job.id}
          nameOf={(job) => job.fileName ?? job.id}
          onOpen={(job) =>
            void navigate({ to: '/data/job/$jobId', params: { jobId: job.id }, search: {} })
          }
        />
      ) : (
        <Empty icon="arrow-down-up" title={t('data.noJobs')} text={t('data.noJobsWhat')} />
      )}
      {jobs.length < total ? (
        <div className="row">
          <Button kind="quiet" onPress={() => setPages(pages + 1)}>
            {t('data.older', { count: formats.number(total - jobs.length) })}
          </Button>
        </div>
      ) : null}
    </section>
  )
}
