// The report of one run: figures, times over the run, each transaction and request, beside another run or beside
// FOLIO's published figures.
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { download } from '#/lib/download'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { keptQuery, keptRunQuery, textOfRun } from '#/workbench/runs'
import styles from '../workbench/workbench.module.css'
import { Compared } from './Compared'
import { CompareWith } from './CompareWith'
import { RequestList } from './RequestList'
import { RunFigures } from './RunFigures'
import { TimesChart } from './TimesChart'

export const loader = async (id: string, other: string | undefined) => {
  await Promise.all([
    loadTexts('workbench', 'lists', 'data', 'forms'),
    queryClient.ensureQueryData(keptQuery),
    queryClient.ensureQueryData(keptRunQuery(id)),
    ...(other ? [queryClient.ensureQueryData(keptRunQuery(other))] : []),
  ])
}

export function ReportPage() {
  const t = useText()
  const { dayTime, number } = useFormats()
  const units = useUnits()
  const navigate = useNavigate()
  const { runId } = useParams({ from: '/shell/workbench/report/$runId' })
  const search = useSearch({ from: '/shell/workbench/report/$runId' })
  const run = useLoaded(keptRunQuery(runId))
  const path = (
    <>
      <Link to="/workbench" search={{ tab: 'reports' }}>
        {t('shell.workbench')}
      </Link>{' '}
      / {t('bench.report')} <span className="code">{runId}</span>
    </>
  )
  if (!run)
    return (
      <>
        <RecordHead title={t('bench.report')} path={path} />
        <Empty icon="activity" title={t('bench.gone')} text={t('bench.goneWhat')} />
      </>
    )
  const save = async () => {
    const text = await textOfRun(runId)
    if (text) download(`${run.workload}-${runId}.json`, text, 'application/json')
  }
  return (
    <>
      <RecordHead
        title={run.workload}
        path={path}
        sub={[
          t('bench.ran', { time: dayTime(run.started_at), duration: units.clock(run.measured_s) }),
          t('bench.withUsers', { count: run.virtual_users }),
          t('bench.ofTenant', { tenant: run.tenant }),
          run.name,
        ]
          .filter(Boolean)
          .join(' · ')}
      >
        <Button icon="download" wideOnly onPress={() => void save()}>
          {t('bench.saveFile')}
        </Button>
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} ${styles.body}`}>
          {run.ended_early ? (
            <p className="soft">{t('bench.endedEarly', { why: run.ended_early })}</p>
          ) : null}
          <RunFigures run={run} />
          {run.timeline.steps.length > 1 ? (
            <TimesChart
              run={run}
              at={search.of ?? 0}
              onAt={(of) =>
                void navigate({
                  to: '/workbench/report/$runId',
                  params: { runId },
                  search: { ...search, of: of || undefined },
                  replace: true,
                })
              }
            />
          ) : null}
          <section className="stack" aria-labelledby="bench-against">
            <CompareWith run={run} runId={runId} />
            <Compared run={run} />
          </section>
          <RequestList run={run} />
          <p className="sm soft">{t('bench.samplesOf', { count: number(run.totals.requests) })}</p>
        </div>
      </div>
    </>
  )
}
