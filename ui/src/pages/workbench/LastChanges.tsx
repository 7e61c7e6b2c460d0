// What the last run did slower or faster than the run before it, by more than chance: the most slowed first.
import { Link, useSearch } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { ScrollBox } from '#/ui/ScrollBox'
import { lastChanges, type Measured } from '#/workbench/trends'
import { ChangeText } from './ChangeText'
import styles from './workbench.module.css'

/** The rest is seen by choosing a request. */
const MOST = 10

interface Props {
  runs: readonly Measured[]
  said: string
}

export function LastChanges({ runs, said }: Props) {
  const t = useText()
  const { dayTime } = useFormats()
  const units = useUnits()
  const search = useSearch({ from: '/shell/workbench' })
  const last = runs.at(-1)
  const changes = lastChanges(runs)
  const sayOf = () => {
    if (runs.length < 2) return t('trend.oneRun')
    if (!changes.length) return t('trend.same')
    return t('trend.changes', {
      slower: changes.filter(({ by }) => by > 0).length,
      faster: changes.filter(({ by }) => by < 0).length,
    })
  }
  return (
    <section className="stack" aria-labelledby="trend-last">
      <h2 id="trend-last">{t('trend.last', { at: last ? dayTime(last.startedAt) : '' })}</h2>
      <p>
        {sayOf()} <span className="soft">{said}</span>
      </p>
      {changes.length ? (
        <ScrollBox label={t('trend.last', { at: last ? dayTime(last.startedAt) : '' })}>
          <table className={styles.cells}>
            <thead>
              <tr>
                <th scope="col">{t('trend.of')}</th>
                <th scope="col">{t('bench.figure')}</th>
                <th scope="col" className="num">
                  {t('trend.before')}
                </th>
                <th scope="col" className="num">
                  {t('trend.now')}
                </th>
                <th scope="col" className="num">
                  {t('bench.difference')}
                </th>
              </tr>
            </thead>
            <tbody>
              {changes.slice(0, MOST).map((change) => (
                <tr key={change.name + change.percentile}>
                  <th scope="row">
                    <Link
                      to="/workbench"
                      search={{ ...search, of: change.name, shown: undefined }}
                      replace
                    >
                      <bdi dir="ltr">{change.name}</bdi>
                    </Link>
                  </th>
                  <td>{t(change.percentile === 'p50' ? 'bench.median' : 'bench.p95')}</td>
                  <td className="num soft">{units.milliseconds(change.before)}</td>
                  <td className="num strong">{units.milliseconds(change.after)}</td>
                  <td className="num">
                    <ChangeText change={change} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      ) : null}
      {changes.length > MOST ? (
        <p className="sm soft">{t('trend.more', { count: changes.length - MOST })}</p>
      ) : null}
    </section>
  )
}
