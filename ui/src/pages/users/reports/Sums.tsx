// The sums that the server reckons, each kind a small table; the last row of each is the total.

import type { TextId } from '#/i18n/text'
import { useText } from '#/i18n/text'
import type { Sum } from '#/patrons/reports/reports'
import { cx } from '#/ui/cx'
import { page } from '#/ui/Page'
import styles from './reports.module.css'

const TITLES: Readonly<Record<string, TextId>> = {
  bySource: 'report.bySource',
  byPaymentMethod: 'report.byMethod',
  byFeeFineType: 'report.byType',
  byFeeFineOwner: 'report.byOwner',
  byAction: 'report.byAct',
  byWaiveReason: 'report.byWaive',
  byRefundReason: 'report.byRefund',
  byTransferAccount: 'report.byAccount',
}

export function Sums({ sums }: { sums: readonly (readonly [string, readonly Sum[]])[] }) {
  const t = useText()
  return (
    // The pane scrolls by the keyboard, too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached
    <aside className={cx(page.side, styles.sums)} aria-label={t('report.sums')} tabIndex={0}>
      {sums
        // A kind of which there is none has its total only.
        .filter(([id, rows]) => TITLES[id] && rows.length > 1)
        .map(([id, rows]) => (
          <table key={id}>
            <caption>{t(TITLES[id] as TextId)}</caption>
            <thead className="vh">
              <tr>
                <th scope="col">{t(TITLES[id] as TextId)}</th>
                <th scope="col">{t('report.count')}</th>
                <th scope="col">{t('report.amount')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, totalAmount, totalCount }, at) => (
                <tr key={name}>
                  <th scope="row">
                    {at === rows.length - 1 ? t('report.total') : <bdi>{name}</bdi>}
                  </th>
                  <td className="muted">{totalCount}</td>
                  <td>{totalAmount}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
    </aside>
  )
}
