// One import job: how far it is, what became of its records, each record with what was read.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { remove } from '#/api/client'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useMay } from '#/lib/permissions'
import { isOver, jobQuery, LINES, linesQuery } from '#/transfer/jobs'
import { personOf } from '#/transfer/words'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Dialog } from '#/ui/Dialog'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Segmented } from '#/ui/Segmented'
import styles from './import-job.module.css'
import { JobProgress } from './JobProgress'
import { LineTable } from './LineTable'
import { SaveFailed } from './SaveFailed'

export const loader = (id: string) =>
  Promise.all([loadTexts('data', 'lists'), queryClient.ensureQueryData(jobQuery(id))])

export function ImportJobPage() {
  const t = useText()
  const formats = useFormats()
  const navigate = useNavigate()
  const { jobId } = useParams({ from: '/shell/data/job/$jobId' })
  const { all = false, at = 1, record } = useSearch({ from: '/shell/data/job/$jobId' })
  const { job, summary } = useLoaded(jobQuery(jobId))
  const may = useMay('stopImport')
  const [asking, setAsking] = useState(false)
  const [failed, setFailed] = useState<unknown>()
  const over = isOver(job)
  const { data: lines, error } = useQuery({
    ...linesQuery(jobId, { errors: !all, page: at }),
    enabled: over || Boolean(job.progress?.current),
  })
  const go = (search: { all?: boolean; at?: number; record?: string }) =>
    void navigate({ to: '/data/job/$jobId', params: { jobId }, search, replace: true })
  const stop = async () => {
    try {
      await remove(`/data-import/jobExecutions/${jobId}/cancel`)
      await queryClient.invalidateQueries({ queryKey: ['import-job', jobId] })
    } catch (found) {
      setFailed(found)
    }
  }
  const started = job.startedDate
    ? t('data.startedBy', { time: formats.dayTime(job.startedDate), name: personOf(job.runBy) })
    : ''
  const total = lines?.totalRecords ?? 0
  const last = Math.max(1, Math.ceil(total / LINES))
  return (
    <>
      <RecordHead
        title={job.fileName ?? formats.number(job.hrId)}
        path={
          <>
            <Link to="/data">{t('shell.data')}</Link> /{' '}
            {t('data.job', { number: formats.number(job.hrId) })}
          </>
        }
        sub={[job.jobProfileInfo?.name, started].filter(Boolean).join(' · ')}
      >
        {over ? null : (
          <Button kind="danger" disabled={may.reason} onPress={() => setAsking(true)}>
            {t('data.stop')}
          </Button>
        )}
      </RecordHead>
      <div className={page.pane}>
        <div className={cx(page.body, styles.body)}>
          {failed ? <Failed error={failed} /> : null}
          <JobProgress job={job} summary={summary} />
          <section className="stack">
            <div className="row wrap">
              <h2>{t('data.records')}</h2>
              <Segmented
                label={t('data.show')}
                value={all ? 'all' : 'failed'}
                onChange={(value) => go({ all: value === 'all' ? true : undefined })}
                choices={[
                  { value: 'failed', text: t('data.onlyFailed') },
                  { value: 'all', text: t('data.all') },
                ]}
              />
              <span className="muted sm push">{t('data.recordCount', { count: total })}</span>
              {over && !all && total ? (
                <SaveFailed jobId={jobId} name={job.fileName ?? formats.number(job.hrId)} />
              ) : null}
            </div>
            {error ? <Failed error={error} /> : null}
            {lines?.entries.length ? (
              <LineTable
                lines={lines.entries}
                open={record}
                onOpen={(id) =>
                  go({ all: all || undefined, at: at > 1 ? at : undefined, record: id })
                }
              />
            ) : lines ? (
              <Empty icon="check" title={t(all ? 'data.noRecords' : 'data.noneFailed')} />
            ) : null}
            {last > 1 ? (
              <div className="row">
                <Button
                  small
                  icon="chevron-left"
                  disabled={at > 1 ? undefined : t('data.isFirst')}
                  onPress={() => go({ all: all || undefined, at: at - 1 })}
                >
                  {t('data.before')}
                </Button>
                <span className="sm tnum">
                  {t('data.pageOf', { at: formats.number(at), last: formats.number(last) })}
                </span>
                <Button
                  small
                  disabled={at < last ? undefined : t('data.isLast')}
                  onPress={() => go({ all: all || undefined, at: at + 1 })}
                >
                  {t('data.next')}
                </Button>
              </div>
            ) : null}
          </section>
        </div>
      </div>
      <Dialog
        title={t('data.stopAsk', { name: job.fileName ?? '' })}
        open={asking}
        onClose={() => setAsking(false)}
        closeText={t('data.goOn')}
        act={{ text: t('data.stopIt'), danger: true, run: () => void stop() }}
      >
        <p>{t('data.stopWhat')}</p>
      </Dialog>
    </>
  )
}
