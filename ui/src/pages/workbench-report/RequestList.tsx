// Every request of the run under its kind of work, the slowest first.

import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { ScrollBox } from '#/ui/ScrollBox'
import { Section } from '#/ui/Section'
import type { RequestFigures, Run } from '#/workbench/run'
import styles from '../workbench/workbench.module.css'

export function RequestList({ run }: { run: Run }) {
  const t = useText()
  const { number } = useFormats()
  const parts = [
    ...run.transactions.map(({ name, requests }) => ({ name, requests })),
    { name: t('bench.otherRequests'), requests: run.other_requests },
  ].filter(({ requests }) => requests.length)
  return (
    <div className="stack">
      {parts.map(({ name, requests }) => (
        <Section key={name} title={name} count={number(requests.length)} closed>
          <Requests name={name} requests={requests} />
        </Section>
      ))}
    </div>
  )
}

function Requests({ name, requests }: { name: string; requests: readonly RequestFigures[] }) {
  const t = useText()
  const { number } = useFormats()
  const units = useUnits()
  const sorted = [...requests].sort((one, other) => other.statistics.p95_ms - one.statistics.p95_ms)
  return (
    <ScrollBox label={name}>
      <table className={styles.cells}>
        <thead>
          <tr>
            <th scope="col">{t('bench.request')}</th>
            {(['samples', 'errors', 'average', 'median', 'p95', 'p99', 'longest'] as const).map(
              (id) => (
                <th key={id} scope="col" className="num">
                  {t(id === 'samples' ? 'bench.sent' : `bench.${id}`)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ label, statistics }) => (
            <tr key={label}>
              <th scope="row">
                <code className={styles.sql}>{label}</code>
              </th>
              <td className="num">{number(statistics.samples)}</td>
              <td className="num">{number(statistics.errors)}</td>
              {(['average_ms', 'p50_ms', 'p95_ms', 'p99_ms', 'maximum_ms'] as const).map((id) => (
                <td key={id} className="num">
                  {units.milliseconds(statistics[id])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
