// A trace as a tree: each stage and statement with its time, and where in the request it lay.

import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Figures } from '#/ui/Figures'
import { ScrollBox } from '#/ui/ScrollBox'
import { linesOf, type Span, type Trace } from '#/workbench/trace'
import styles from './workbench.module.css'

const WIDTH = 1000
const US = 1000

export function TraceView({ trace }: { trace: Trace }) {
  const t = useText()
  const { number, dayTime } = useFormats()
  const units = useUnits()
  const { summary } = trace
  const ms = (us: number) => units.milliseconds(us / US)
  const lines = linesOf(trace.root)
  return (
    <>
      <Figures
        figures={[
          { label: t('bench.whole'), value: ms(summary.totalUs) },
          {
            label: t('bench.inSql'),
            value: ms(summary.sqlUs),
            remark: units.percent(summary.totalUs ? summary.sqlUs / summary.totalUs : 0),
          },
          { label: t('bench.statements'), value: number(summary.statements) },
          { label: t('bench.roundTrips'), value: number(summary.roundTrips) },
          { label: t('bench.status'), value: number(trace.status) },
        ]}
      />
      <p className="sm soft">
        <code className={styles.sql}>{trace.route}</code> · {dayTime(trace.at)}
      </p>
      <ScrollBox label={t('bench.stages')}>
        <table className={styles.cells}>
          <thead>
            <tr>
              <th scope="col">{t('bench.stage')}</th>
              <th scope="col" className="num">
                {t('bench.start')}
              </th>
              <th scope="col" className="num">
                {t('bench.took')}
              </th>
              <th scope="col">{t('bench.where')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ span, depth, key }) => (
              <tr key={key}>
                <th scope="row" style={{ paddingInlineStart: `${0.75 + depth}rem` }}>
                  <Stage span={span} />
                </th>
                <td className="num">{ms(span.startUs)}</td>
                <td className="num">
                  {span.durationUs === undefined ? t('bench.open') : ms(span.durationUs)}
                </td>
                <td>
                  <svg
                    className={styles.bar}
                    viewBox={`0 0 ${WIDTH} 12`}
                    preserveAspectRatio="none"
                    aria-hidden="true"
                  >
                    <rect
                      className={span.sql ? styles.sqlBar : undefined}
                      x={at(span.startUs, summary.totalUs)}
                      width={Math.max(2, at(span.durationUs ?? 0, summary.totalUs))}
                      height={12}
                    />
                  </svg>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {summary.spansLeftOut ? (
        <p className="sm soft">{t('bench.leftOut', { count: summary.spansLeftOut })}</p>
      ) : null}
    </>
  )
}

const at = (us: number, whole: number) => Math.min(WIDTH, whole ? (us / whole) * WIDTH : 0)

function Stage({ span }: { span: Span }) {
  const t = useText()
  const units = useUnits()
  const facts = [
    span.place,
    span.rows === undefined ? undefined : t('bench.rowCount', { count: span.rows }),
    span.bytes === undefined ? undefined : units.bytes(span.bytes),
    span.behind ? t('bench.behindOthers', { count: span.behind }) : undefined,
    span.note,
  ].filter(Boolean)
  return (
    <>
      {span.sql ? (
        <code className={styles.sql}>{span.sql}</code>
      ) : (
        <bdi dir="ltr">{span.name || span.kind}</bdi>
      )}
      {facts.length ? <span className="xs muted"> {facts.join(' · ')}</span> : null}
    </>
  )
}
