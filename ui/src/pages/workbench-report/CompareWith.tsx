// What the run stands beside: another kept run, or a release of FOLIO whose figures are published.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useLoaded } from '#/api/query'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Select } from '#/ui/Select'
import { releasesOf } from '#/workbench/published'
import type { Run } from '#/workbench/run'
import { keptQuery } from '#/workbench/runs'
import { serverRunsQuery } from '#/workbench/serverRuns'
import { besideOf } from './beside'

const FOLIO = 'folio:'

export function CompareWith({ run, runId }: { run: Run; runId: string }) {
  const t = useText()
  const { dayTime } = useFormats()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/workbench/report/$runId' })
  const kept = useLoaded(keptQuery)
  const { data } = useQuery(serverRunsQuery)
  const own = data?.state === 'there' ? data.data.runs : []
  const others = [...own.map((one) => ({ ...one, name: t('bench.ofServer') })), ...kept].filter(
    ({ id, workload }) => id !== runId && workload === run.workload,
  )
  const releases = releasesOf(run.workload)
  const value = besideOf(run, search)
  if (!others.length && !releases.length)
    return (
      <>
        <h2 id="bench-against">{t('bench.against')}</h2>
        <p className="soft sm">{t('bench.nothingBeside', { workload: run.workload })}</p>
      </>
    )
  return (
    <div className="row wrap">
      <h2 id="bench-against" className="grow">
        {t('bench.against')}
      </h2>
      <Select
        label={t('bench.beside')}
        value={value}
        onChange={(to) =>
          void navigate({
            to: '/workbench/report/$runId',
            params: { runId },
            search: {
              ...search,
              with: to.startsWith(FOLIO) ? undefined : to,
              folio: to.startsWith(FOLIO) ? to.slice(FOLIO.length) : undefined,
            },
            replace: true,
          })
        }
        choices={[
          ...releases.map((release) => ({
            value: `${FOLIO}${release}`,
            text: t('bench.folio', { release }),
          })),
          ...others.map((one) => ({
            value: one.id,
            text: [one.name, dayTime(one.startedAt)].join(' · '),
          })),
        ]}
      />
    </div>
  )
}
