// At a glance: is it well, what makes searches slow, which replicas serve, what runs now.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { cx } from '#/ui/cx'
import { Figures } from '#/ui/Figures'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { adviceQuery } from '#/workbench/advice'
import { jobsQuery } from '#/workbench/jobs'
import { healthQuery, readersQuery, tenantsQuery, versionQuery } from '#/workbench/server'
import { AdviceList } from './AdviceList'
import { Events } from './Events'
import { Now } from './Now'
import { Readers } from './Readers'
import { Tenants } from './Tenants'

export function Overview() {
  const t = useText()
  const { number } = useFormats()
  const { data: version } = useQuery(versionQuery)
  const { data: health } = useQuery(healthQuery)
  const { data: advice } = useQuery(adviceQuery)
  const { data: jobs } = useQuery(jobsQuery)
  const { data: readers } = useQuery(readersQuery)
  const { data: tenants } = useQuery(tenantsQuery)
  const running = jobs?.jobs.filter(({ state }) => state === 'running').length
  const figures = [
    { label: t('bench.version'), value: version },
    { label: t('bench.health'), value: health && t(health.well ? 'bench.well' : 'bench.ill') },
    {
      label: t('bench.lacking'),
      value: advice?.state === 'there' ? number(advice.data.totalRecords) : undefined,
    },
    { label: t('bench.jobsRunning'), value: running === undefined ? undefined : number(running) },
    {
      label: t('bench.replicas'),
      value:
        readers?.state === 'there' && readers.data.totalRecords
          ? t('bench.upOf', {
              up: number(readers.data.readers.filter(({ up }) => up).length),
              all: number(readers.data.totalRecords),
            })
          : undefined,
    },
    {
      label: t('bench.tenants'),
      value: tenants?.state === 'there' ? number(tenants.data.length) : undefined,
    },
  ].filter(({ value }) => value !== undefined && value !== '')
  return (
    <div className={cx(page.split, page.record)}>
      <div className={cx(page.body, page.first, 'stack far')}>
        {health && !health.well ? (
          <Note kind="blocked" alert>
            <p>
              <strong>{t('bench.ill')}</strong> <bdi>{health.said}</bdi>
            </p>
          </Note>
        ) : null}
        <Figures figures={figures} />
        <AdviceList />
        <Now />
      </div>
      <aside className={cx(page.side, 'stack far')} aria-label={t('bench.installation')}>
        <Readers />
        <Events />
        <Tenants />
      </aside>
    </div>
  )
}
