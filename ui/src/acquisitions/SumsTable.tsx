// The arithmetic of a budget or ledger, line by line as it is computed; every figure is the server's.
import { useText } from '#/i18n/text'
import table from '#/ui/Table.module.css'
import styles from './acquisitions.module.css'
import { useMoney } from './money'
import { quiet } from './quiet'
import type { Sums } from './types'

const LINES = [
  ['', 'initialAllocation'],
  ['+', 'allocationTo'],
  ['−', 'allocationFrom'],
  ['=', 'allocated'],
  ['+', 'netTransfers'],
  ['=', 'totalFunding'],
  ['−', 'encumbered'],
  ['−', 'awaitingPayment'],
  ['−', 'expenditures'],
  ['+', 'credits'],
  ['=', 'available'],
] as const

const BELOW = ['cashBalance', 'overEncumbrance', 'overExpended'] as const

export function SumsTable({ sums, currency }: { sums: Sums; currency?: string }) {
  const t = useText()
  const money = useMoney()
  const shown = BELOW.filter((name) => name === 'cashBalance' || sums[name])
  return (
    <table className={`${table.tbl} ${styles.sums}`}>
      <caption className="vh">{t('acq.arithmetic')}</caption>
      <tbody>
        {LINES.map(([sign, name]) => (
          <tr key={name} className={sign === '=' ? 'strong' : undefined}>
            <td aria-hidden="true">{sign}</td>
            <th scope="row">{t(`acq.sum.${name}`)}</th>
            <td className="num">{quiet(sums[name], money(sums[name] ?? 0, currency))}</td>
          </tr>
        ))}
        {shown.map((name) => (
          <tr key={name}>
            <td aria-hidden="true" />
            <th scope="row">{t(`acq.sum.${name}`)}</th>
            <td className="num">{quiet(sums[name], money(sums[name] ?? 0, currency))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
