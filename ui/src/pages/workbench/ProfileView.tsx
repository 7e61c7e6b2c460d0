// A profile twice: the functions by their own share as a table, and all stacks as a flame.

import { useMemo, useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useUnits } from '#/lib/units'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { ScrollBox } from '#/ui/ScrollBox'
import { type Frame, functionsOf, type ProfileKind } from '#/workbench/profile'
import { Flame } from './Flame'
import styles from './workbench.module.css'

const FEW = 25

export function ProfileView({ kind, root }: { kind: ProfileKind; root: Frame }) {
  const t = useText()
  const { number } = useFormats()
  const units = useUnits()
  const [all, setAll] = useState(false)
  const shares = useMemo(() => functionsOf(root), [root])
  const amount = (value: number) => (kind === 'cpu' ? number(value) : units.bytes(value))
  if (!root.total) return <Empty icon="activity" title={t('bench.noSamples')} />
  const shown = all ? shares : shares.slice(0, FEW)
  return (
    <>
      <p className="sm soft">
        {t(kind === 'cpu' ? 'bench.samples' : 'bench.allocated', { amount: amount(root.total) })}
      </p>
      <Flame root={root} amount={amount} />
      <section className="stack" aria-labelledby="bench-functions">
        <h3 id="bench-functions">{t('bench.functions')}</h3>
        <ScrollBox label={t('bench.functions')}>
          <table className={styles.cells}>
            <thead>
              <tr>
                <th scope="col">{t('bench.function')}</th>
                <th scope="col" className="num">
                  {t('bench.own')}
                </th>
                <th scope="col" className="num">
                  {t('bench.withCalls')}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((one) => (
                <tr key={one.name}>
                  <th scope="row">
                    <code className={styles.sql}>{one.name}</code>
                  </th>
                  <td className="num">{units.percent(one.self / root.total)}</td>
                  <td className="num">{units.percent(one.total / root.total)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
        {shares.length > shown.length ? (
          <div className="row">
            <Button kind="quiet" small onPress={() => setAll(true)}>
              {t('list.all', { count: number(shares.length) })}
            </Button>
          </div>
        ) : null}
      </section>
    </>
  )
}
