// The figures of two runs beside each other, as numbers and as bars.

import { useSearch } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useUnits } from '#/lib/units'
import { Outcome } from '#/ui/Badge'
import { cx } from '#/ui/cx'
import { ScrollBox } from '#/ui/ScrollBox'
import { baselineOf, type Statistic } from '#/workbench/published'
import type { Run, Statistics } from '#/workbench/run'
import bench from '../workbench/workbench.module.css'
import { besideOf } from './beside'
import styles from './report.module.css'
import { useOther } from './useReport'

const SHOWN = ['p50', 'p95', 'average'] as const satisfies readonly Statistic[]
const FASTER = 2
/** Changes below this are not told as faster or slower: runs differ by as much. */
const NOTHING = 0.05

interface Row {
  name: string
  statistic: (typeof SHOWN)[number]
  mine: number
  theirs: number
}

export function Compared({ run }: { run: Run }) {
  const t = useText()
  const units = useUnits()
  const search = useSearch({ from: '/shell/workbench/report/$runId' })
  const beside = besideOf(run, search)
  const isFolio = beside?.startsWith('folio:') ?? false
  const other = useOther(isFolio ? undefined : beside)
  if (!beside) return null
  const baseline = isFolio ? baselineOf(run, beside.slice('folio:'.length)) : undefined
  const theirs = (name: string, statistic: Row['statistic']) =>
    baseline
      ? baseline.of(name, statistic)
      : statisticsOf(other, name)?.[`${statistic}_ms` as const]
  const rows: Row[] = namesOf(run).flatMap(({ name, statistics }) =>
    SHOWN.flatMap((statistic) => {
      const before = theirs(name, statistic)
      return before === undefined
        ? []
        : [{ name, statistic, mine: statistics[`${statistic}_ms` as const], theirs: before }]
    }),
  )
  if (!rows.length) return <p className="soft sm">{t('bench.noCommon')}</p>
  const title = baseline
    ? t('bench.folio', { release: baseline.release })
    : (other?.name ?? t('bench.otherRun'))
  return (
    <>
      {baseline ? (
        <p className="sm soft">
          {t('bench.folioWhat', { users: baseline.users, mine: run.virtual_users })}
        </p>
      ) : null}
      <ScrollBox label={t('bench.against')}>
        <table className={bench.cells}>
          <thead>
            <tr>
              <th scope="col">{t('bench.ofWork')}</th>
              <th scope="col">{t('bench.figure')}</th>
              <th scope="col" className="num">
                {t('bench.thisRun')}
              </th>
              <th scope="col" className="num">
                <bdi>{title}</bdi>
              </th>
              <th scope="col" className={styles.bars}>
                <span className="vh">{t('bench.asBars')}</span>
              </th>
              <th scope="col" className="num">
                {t('bench.difference')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name + row.statistic}>
                <th scope="row">
                  <bdi dir="ltr">{row.name}</bdi>
                </th>
                <td>{t(`bench.${row.statistic === 'p50' ? 'median' : row.statistic}`)}</td>
                <td className="num strong">{units.milliseconds(row.mine)}</td>
                <td className="num soft">{units.milliseconds(row.theirs)}</td>
                <td className={styles.bars}>
                  <Pair row={row} />
                </td>
                <td className="num">
                  <Change row={row} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {isFolio ? null : <p className="sm soft">{t('bench.chance')}</p>}
    </>
  )
}

function Pair({ row: { mine, theirs } }: { row: Row }) {
  const most = Math.max(mine, theirs) || 1
  return (
    <span className={styles.pair} aria-hidden="true">
      <i className={styles.us} style={{ inlineSize: `${(mine / most) * 100}%` }} />
      <i className={styles.them} style={{ inlineSize: `${(theirs / most) * 100}%` }} />
    </span>
  )
}

function Change({ row: { mine, theirs } }: { row: Row }) {
  const t = useText()
  const units = useUnits()
  if (!mine || !theirs || Math.abs(mine / theirs - 1) < NOTHING)
    return <span className={cx('muted')}>{t('bench.same')}</span>
  const ratio = mine < theirs ? theirs / mine : mine / theirs
  const much = ratio >= FASTER ? t('bench.factor', { ratio: units.decimal(ratio) }) : undefined
  const text = much ?? units.percent(Math.abs(mine / theirs - 1))
  return mine < theirs ? (
    <Outcome kind="ok">{t('bench.faster', { much: text })}</Outcome>
  ) : (
    <Outcome kind="blocked">{t('bench.slower', { much: text })}</Outcome>
  )
}

const namesOf = (run: Run): { name: string; statistics: Statistics }[] => [
  ...run.transactions,
  ...run.transactions.flatMap(({ requests }) =>
    requests.map(({ label, statistics }) => ({ name: label, statistics })),
  ),
]

const statisticsOf = (run: Run | null | undefined, name: string) =>
  run ? namesOf(run).find((one) => one.name === name)?.statistics : undefined
