// What the run was about, in one line of figures: those of its slowest kind of work first.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Figures } from '#/ui/Figures'
import type { Run } from '#/workbench/run'

export function RunFigures({ run }: { run: Run }) {
  const t = useText()
  const { number } = useFormats()
  const units = useUnits()
  const slowest = [...run.transactions].sort(
    (one, other) => other.statistics.p95_ms - one.statistics.p95_ms,
  )[0]
  const times = slowest?.statistics
  return (
    <Figures
      figures={[
        {
          label: t('bench.perSecond'),
          value: number(Math.round(run.totals.requests_per_s)),
          remark: t('bench.requestCount', { count: run.totals.requests }),
        },
        ...(times
          ? [
              {
                label: t('bench.median'),
                value: units.milliseconds(times.p50_ms),
                remark: slowest.name,
              },
              { label: t('bench.p95'), value: units.milliseconds(times.p95_ms) },
              { label: t('bench.p99'), value: units.milliseconds(times.p99_ms) },
              { label: t('bench.longest'), value: units.milliseconds(times.maximum_ms) },
            ]
          : []),
        { label: t('bench.errors'), value: number(run.totals.errors) },
      ]}
    />
  )
}
