// The report of one run, while it runs or afterwards: figures, times over the run, each kind of work and request,
// beside another run or beside FOLIO's published figures.
import { Link, useParams } from '@tanstack/react-router'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { download } from '#/lib/download'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import type { Run } from '#/workbench/run'
import { keptQuery, keptRunQuery, textOfRun } from '#/workbench/runs'
import { isServerRun, reportAddress, serverRunQuery } from '#/workbench/serverRuns'
import styles from '../workbench/workbench.module.css'
import { LiveRun } from './LiveRun'
import { RunParts } from './RunParts'
import { StopRun } from './StopRun'
import { useReport } from './useReport'

// A server that has lost its runs answers 404: the page says so.
const load = (id: string) =>
  isServerRun(id)
    ? queryClient.fetchQuery(serverRunQuery(id)).catch(() => undefined)
    : queryClient.ensureQueryData(keptRunQuery(id))

export const loader = (id: string, other: string | undefined) =>
  Promise.all([
    loadTexts('workbench', 'lists', 'data', 'forms'),
    queryClient.ensureQueryData(keptQuery),
    load(id),
    other ? load(other) : undefined,
  ])

export function ReportPage() {
  const t = useText()
  const { runId } = useParams({ from: '/shell/workbench/report/$runId' })
  const { run, server, points, summary } = useReport(runId)
  const told = useSub(run)
  const path = (
    <>
      <Link to="/workbench" search={{ tab: 'reports' }}>
        {t('shell.workbench')}
      </Link>{' '}
      / {t('bench.report')} <span className="code">{runId.slice(0, 12)}</span>
    </>
  )
  if (!run && !server)
    return (
      <>
        <RecordHead title={t('bench.report')} path={path} />
        <Empty icon="activity" title={t('bench.gone')} text={t('bench.goneWhat')} />
      </>
    )
  const save = async () => {
    const text = await textOfRun(runId)
    if (text) download(`${run?.workload}-${runId}.json`, text, 'application/json')
  }
  return (
    <>
      <RecordHead title={run?.workload ?? server?.workload ?? ''} path={path} sub={told}>
        {server?.state === 'running' ? <StopRun id={runId} /> : null}
        {server?.report ? (
          <a href={reportAddress(runId)} target="_blank" rel="noreferrer">
            {t('bench.wholeReport')}
          </a>
        ) : null}
        {server ? null : (
          <Button icon="download" wideOnly onPress={() => void save()}>
            {t('bench.saveFile')}
          </Button>
        )}
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} ${styles.body}`}>
          {server ? <LiveRun run={server} points={points} /> : null}
          {run ? (
            <RunParts
              run={run}
              runId={runId}
              summary={server?.state === 'running' ? [] : summary}
            />
          ) : null}
        </div>
      </div>
    </>
  )
}

function useSub(run: Run | undefined) {
  const t = useText()
  const { dayTime } = useFormats()
  const units = useUnits()
  if (!run) return undefined
  return [
    t('bench.ran', { time: dayTime(run.started_at), duration: units.clock(run.measured_s) }),
    t('bench.withUsers', { count: run.virtual_users }),
    t('bench.ofTenant', { tenant: run.tenant }),
    run.name === run.workload ? undefined : run.name,
  ]
    .filter(Boolean)
    .join(' · ')
}
