// The picture of a budget's year: encumbered, expended and what is left, month by month; the same as a table.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { useMoney } from '#/acquisitions/money'
import { ofQuery } from '#/acquisitions/queries'
import type { Budget, FiscalYear, Transaction } from '#/acquisitions/types'
import { useLocale } from '#/api/locale'
import { useText } from '#/i18n/text'
import { Chart } from '#/ui/Chart'
import { Failed } from '#/ui/Failed'
import { Skeleton } from '#/ui/Skeleton'
import table from '#/ui/Table.module.css'
import { transactionsOf } from './transactions'
import { yearOfMoney } from './year'

export function YearPicture({ budget, year }: { budget: Budget; year: FiscalYear }) {
  const t = useText()
  const { locale } = useIntl()
  const money = useMoney()
  const { timezone } = useLocale()
  const { data, error, refetch } = useQuery(
    ofQuery<Transaction>('/finance/transactions', 'transactions', transactionsOf(budget)),
  )
  const shown = useMemo(
    () => data && yearOfMoney(data, budget.fundId, year, timezone),
    [data, budget.fundId, year, timezone],
  )
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!shown) return <Skeleton />
  const short = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
  const long = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const day = (at: number) => new Date(`${shown.months[at]}-01T00:00:00Z`)
  const round = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  const full = <T,>(values: T[]) => shown.months.map((_, at) => values[at])
  const lines = [
    { id: 'available', title: t('acq.sum.available'), values: shown.available },
    { id: 'encumbered', title: t('acq.sum.encumbered'), values: shown.encumbered },
    { id: 'expended', title: t('acq.expended'), values: shown.expended },
  ]
  const now = shown.known - 1
  const amount = (values: number[]) => money(values[now] ?? 0, year.currency)
  return (
    <Chart
      title={t('acq.overYear')}
      height={280}
      sentence={t('acq.overYearWhat', {
        month: now >= 0 ? long.format(day(now)) : '',
        available: amount(shown.available),
        encumbered: amount(shown.encumbered),
        expended: amount(shown.expended),
      })}
      series={lines.map((line) => ({
        ...line,
        // Below nothing the picture ends; the table says by how much.
        values: full(line.values).map((value) =>
          value === undefined ? undefined : Math.max(0, value),
        ),
      }))}
      valueText={(value) => round.format(value)}
      placeText={(at) => short.format(day(at))}
      tableTitle={t('acq.asTable')}
      table={
        <div className={table.scroll}>
          <table className={table.tbl}>
            <caption className="sm muted">{t('acq.overYearNote')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('acq.month')}</th>
                {lines.map(({ id, title }) => (
                  <th key={id} scope="col" className="num">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.months.slice(0, shown.known).map((name, at) => (
                <tr key={name}>
                  <th scope="row">{long.format(day(at))}</th>
                  {lines.map(({ id, values }) => (
                    <td key={id} className="num">
                      {money(values[at] ?? 0, year.currency)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      }
    />
  )
}
