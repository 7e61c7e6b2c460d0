// How the times of one workload changed over the runs that this server and this browser keep.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { Select } from '#/ui/Select'
import { Skeleton } from '#/ui/Skeleton'
import { useEndedRuns, useMeasured } from '#/workbench/trendRuns'
import { type Load, loadsOf, namesOf } from '#/workbench/trends'
import { LastChanges } from './LastChanges'
import { TrendChart } from './TrendChart'
import { TrendRuns } from './TrendRuns'
import { useWorkloads } from './useWorkloads'
import styles from './workbench.module.css'

export function TrendsTab() {
  const t = useText()
  const ended = useEndedRuns()
  const search = useSearch({ from: '/shell/workbench' })
  const known = useWorkloads()
  const ids = [...new Set(ended?.map(({ workload }) => workload))]
  const workload = ids.find((id) => id === search.workload) ?? ids[0]
  const { isComing, error, runs } = useMeasured(ended ?? [], workload)
  const loads = loadsOf(runs)
  const load = loads.find(({ id }) => id === search.load) ?? loads[0]
  const choose = useChoose()
  const textOf = useLoadText()
  if (!ended || isComing) return <Skeleton />
  if (!workload) return <Empty icon="activity" title={t('trend.none')} text={t('trend.noneWhat')} />
  return (
    <>
      <p className="soft">{t('trend.what')}</p>
      <div className={styles.form}>
        <Select
          label={t('bench.workload')}
          value={workload}
          onChange={(to) => choose({ workload: to, load: undefined, of: undefined })}
          choices={ids.map((id) => ({
            value: id,
            text: known.find((one) => one.id === id)?.name ?? id,
          }))}
        />
        {loads.length > 1 && load ? (
          <Select
            label={t('trend.load')}
            value={load.id}
            onChange={(to) => choose({ load: to })}
            choices={loads.map((one) => ({ value: one.id, text: textOf(one) }))}
          />
        ) : null}
      </div>
      {error ? <Failed error={error} /> : null}
      {load ? <OfLoad load={load} said={textOf(load)} /> : null}
    </>
  )
}

function OfLoad({ load, said }: { load: Load; said: string }) {
  const t = useText()
  const { of } = useSearch({ from: '/shell/workbench' })
  const choose = useChoose()
  const names = namesOf(load.runs)
  const name = names.find((one) => one === of) ?? names[0] ?? ''
  return (
    <>
      <LastChanges runs={load.runs} said={said} />
      <TrendChart
        runs={load.runs}
        name={name}
        names={names}
        onName={(to) => choose({ of: to === names[0] ? undefined : to })}
      />
      <TrendRuns runs={load.runs} name={name} />
      <p className="sm soft">{t('trend.marked')}</p>
    </>
  )
}

/** The address keeps what is shown. */
export function useChoose() {
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/workbench' })
  return (to: Partial<typeof search>) =>
    void navigate({ to: '/workbench', search: { ...search, ...to }, replace: true })
}

function useLoadText() {
  const t = useText()
  return ({ users, isWithoutPauses, arrival }: Load) =>
    [
      t('bench.withUsers', { count: users }),
      t(isWithoutPauses ? 'trend.withoutPauses' : 'trend.withPauses'),
      arrival,
    ]
      .filter(Boolean)
      .join(' · ')
}
