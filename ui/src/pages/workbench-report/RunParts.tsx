// What a run has measured, from the figures down to each request.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import type { Run } from '#/workbench/run'
import type { Report } from '#/workbench/serverRuns'
import { Compared } from './Compared'
import { CompareWith } from './CompareWith'
import { RequestList } from './RequestList'
import { RunFigures } from './RunFigures'
import { TimesChart } from './TimesChart'

interface Props {
  run: Run
  runId: string
  summary: Report['summary']
}

export function RunParts({ run, runId, summary }: Props) {
  const t = useText()
  const { number } = useFormats()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/workbench/report/$runId' })
  const show = (of: number) =>
    void navigate({
      to: '/workbench/report/$runId',
      params: { runId },
      search: { ...search, of: of || undefined },
      replace: true,
    })
  return (
    <>
      {run.ended_early ? (
        <p className="soft">{t('bench.endedEarly', { why: run.ended_early })}</p>
      ) : null}
      <RunFigures run={run} />
      {summary.length ? (
        <ul className="stack tight sm" aria-label={t('bench.summary')}>
          {summary.map(({ text }) => (
            <li key={text} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      ) : null}
      {(run.timeline?.steps?.length ?? 0) > 1 ? (
        <TimesChart run={run} at={search.of ?? 0} onAt={show} />
      ) : null}
      <section className="stack" aria-labelledby="bench-against">
        <CompareWith run={run} runId={runId} />
        <Compared run={run} />
      </section>
      <RequestList run={run} />
      <p className="sm soft">{t('bench.samplesOf', { count: number(run.totals.requests) })}</p>
    </>
  )
}
