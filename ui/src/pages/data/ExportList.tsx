// Exports, newest first, each with its file.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { download, type ExportJob, exportsQuery, isRunning } from '#/transfer/exports'
import { Outcome } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { type Column, rowsOf, Table } from '#/ui/Table'

export function ExportList() {
  const t = useText()
  const formats = useFormats()
  const [pages, setPages] = useState(1)
  const [failed, setFailed] = useState<unknown>()
  const { data, error, refetch } = useQuery({
    ...exportsQuery(pages),
    placeholderData: keepPreviousData,
  })
  const jobs = data?.jobExecutions ?? []
  const total = data?.totalRecords ?? 0
  const nameOf = (job: ExportJob) => job.exportedFiles?.[0]?.fileName ?? formats.number(job.hrId)
  const columns: Column<ExportJob>[] = [
    { id: 'file', title: t('data.file'), kind: 'main', cell: (job) => <bdi>{nameOf(job)}</bdi> },
    {
      id: 'state',
      title: t('data.state'),
      width: 14,
      cell: (job) => <State job={job} />,
    },
    {
      id: 'records',
      title: t('data.records'),
      width: 8,
      kind: 'num',
      cell: ({ progress }) => formats.number(progress?.exported ?? 0),
    },
    {
      id: 'failed',
      title: t('data.failed'),
      width: 7,
      kind: 'num',
      cell: ({ progress }) => formats.number(progress?.failed ?? 0),
    },
    {
      id: 'started',
      title: t('data.started'),
      width: 10,
      soft: true,
      cell: (job) => (job.startedDate ? formats.dayTime(job.startedDate) : ''),
    },
    {
      id: 'get',
      title: t('data.fetch'),
      width: 10,
      cell: (job) =>
        job.exportedFiles?.length && !isRunning(job) ? (
          <Button
            small
            icon="download"
            aria-label={t('data.fetchFile', { name: nameOf(job) })}
            onPress={() => void download(job).catch(setFailed)}
          >
            {t('data.fetch')}
          </Button>
        ) : null,
    },
  ]
  return (
    <section className="stack">
      <h2>{t('data.exports')}</h2>
      {(error ?? failed) ? <Failed error={error ?? failed} retry={() => void refetch()} /> : null}
      {jobs.length ? (
        <Table
          label={t('data.exports')}
          columns={columns}
          rows={rowsOf(jobs)}
          keyOf={(job) => job.id}
          nameOf={nameOf}
        />
      ) : (
        <Empty icon="arrow-down-up" title={t('data.noExports')} text={t('data.noExportsWhat')} />
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

function State({ job }: { job: ExportJob }) {
  const t = useText()
  if (isRunning(job))
    return (
      <Outcome kind="question" icon="refresh-cw">
        {t('data.running')}
      </Outcome>
    )
  const isGood = job.status === 'COMPLETED'
  return (
    <Outcome kind={isGood ? 'ok' : 'blocked'} icon={isGood ? 'check' : 'circle-x'}>
      {t(isGood ? 'data.done' : 'data.doneWithFaults')}
    </Outcome>
  )
}
