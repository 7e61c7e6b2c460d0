// One workflow or request over the runs: its times, or what all of each run did and failed at.
import { useSearch } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Chart, type Mark } from '#/ui/Chart'
import { Segmented } from '#/ui/Segmented'
import { Select } from '#/ui/Select'
import { changeOf, earlierOf, type Measured } from '#/workbench/trends'
import { useSigned } from './ChangeText'
import { useChoose } from './TrendsTab'
import styles from './workbench.module.css'

const SHOWN = ['times', 'rate', 'errors'] as const
type Shown = (typeof SHOWN)[number]
const PERCENTILES = ['p50', 'p95'] as const

interface Props {
  runs: readonly Measured[]
  name: string
  names: readonly string[]
  onName: (name: string) => void
}

export function TrendChart({ runs, name, names, onName }: Props) {
  const t = useText()
  const search = useSearch({ from: '/shell/workbench' })
  const choose = useChoose()
  const shown = SHOWN.find((one) => one === search.shown) ?? 'times'
  return (
    <section className="stack">
      <div className={styles.form}>
        <Segmented
          label={t('bench.figure')}
          value={shown}
          onChange={(to: Shown) => choose({ shown: to === 'times' ? undefined : to })}
          choices={SHOWN.map((one) => ({ value: one, text: t(`trend.shown.${one}`) }))}
        />
        {shown === 'times' ? (
          <Select
            label={t('trend.of')}
            value={name}
            onChange={onName}
            choices={names.map((one) => ({ value: one, text: one }))}
          />
        ) : null}
      </div>
      <Lines runs={runs} name={name} shown={shown} />
    </section>
  )
}

function Lines({ runs, name, shown }: { runs: readonly Measured[]; name: string; shown: Shown }) {
  const t = useText()
  const { number, day } = useFormats()
  const units = useUnits()
  const signed = useSigned()
  const places = {
    placeText: (index: number) => day(runs[index]?.startedAt ?? ''),
    underText: (index: number) => runs[index]?.name || (runs[index]?.version ?? ''),
  }
  if (shown !== 'times') {
    const values = runs.map((run) => (shown === 'rate' ? run.requestsPerSecond : run.errors))
    const title = t(shown === 'rate' ? 'bench.perSecond' : 'bench.errors')
    const last = number(Math.round(values.at(-1) ?? 0))
    return (
      <Chart
        title={t(`trend.over.${shown}`)}
        sentence={t('trend.sentence.one', { title, last, count: runs.length })}
        series={[{ id: shown, title, values }]}
        valueText={number}
        {...places}
      />
    )
  }
  const last = runs.at(-1)?.of.get(name)
  const marks: Mark[] = PERCENTILES.flatMap((percentile, series) =>
    runs.flatMap(({ of }, index) => {
      const change = changeOf(earlierOf(runs, index, name), of.get(name), percentile)
      return change?.isMarked && change.by > 0 ? [{ series, index, text: signed(change.by) }] : []
    }),
  )
  return (
    <Chart
      title={t('trend.over.times')}
      sentence={t('trend.sentence.times', {
        name,
        median: units.milliseconds(last?.p50 ?? 0),
        p95: units.milliseconds(last?.p95 ?? 0),
        count: runs.length,
        marked: marks.length,
      })}
      series={PERCENTILES.map((percentile) => ({
        id: percentile,
        title: t(percentile === 'p50' ? 'bench.median' : 'bench.p95'),
        values: runs.map(({ of }) => of.get(name)?.[percentile]),
      }))}
      marks={marks}
      valueText={units.milliseconds}
      {...places}
    />
  )
}
