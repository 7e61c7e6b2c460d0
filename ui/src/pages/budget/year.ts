// Money of a budget over its fiscal year: by month, what its transactions have come to at the end of each.
import { Exact } from '#/acquisitions/money'
import type { FiscalYear, Transaction } from '#/acquisitions/types'

export interface YearOfMoney {
  /** "2026-03" */
  months: string[]
  /** How many of them have begun; the others have no values yet. */
  known: number
  encumbered: number[]
  expended: number[]
  available: number[]
}

const monthOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' })
  return (when: string | number) => format.format(new Date(when)).slice(0, 7)
}

const MONTHS_MAX = 60

function monthsOf(first: string, last: string): string[] {
  const months: string[] = []
  let [year = 0, month = 0] = first.split('-').map(Number)
  for (;;) {
    const name = `${year}-${String(month).padStart(2, '0')}`
    months.push(name)
    if (name >= last || months.length >= MONTHS_MAX) return months
    month += 1
    if (month > 12) [year, month] = [year + 1, 1]
  }
}

export function yearOfMoney(
  transactions: readonly Transaction[],
  fundId: string,
  { periodStart, periodEnd }: Pick<FiscalYear, 'periodStart' | 'periodEnd'>,
  timeZone: string,
  now = Date.now(),
): YearOfMoney {
  const month = monthOf(timeZone)
  const last = month(periodEnd)
  const today = month(now)
  const dated = transactions.map((one) => ({
    one,
    at: month(one.metadata?.createdDate ?? periodStart),
  }))
  // Years are prepared before they begin: the first transactions belong to the first month.
  const latest =
    dated
      .map(({ at }) => at)
      .sort()
      .at(-1) ?? ''
  const months = monthsOf(month(periodStart), latest > last ? latest : last)
  const ends = latest > today ? latest : today
  const known = months.filter((one) => one <= ends).length
  const sums = { funding: new Exact(), encumbered: new Exact(), expended: new Exact() }
  let awaiting = new Exact()
  const result: YearOfMoney = { months, known, encumbered: [], expended: [], available: [] }
  const sorted = dated.toSorted((a, b) => a.at.localeCompare(b.at))
  let next = 0
  for (const name of months.slice(0, known)) {
    for (; next < sorted.length && (sorted[next]?.at ?? '') <= name; next += 1) {
      const one = sorted[next]?.one
      if (!one) continue
      const { amount, transactionType, toFundId, fromFundId } = one
      switch (transactionType) {
        case 'Allocation':
        case 'Transfer':
        case 'Rollover transfer':
          if (toFundId === fundId) sums.funding = sums.funding.plus(amount)
          if (fromFundId === fundId) sums.funding = sums.funding.plus(-amount)
          break
        case 'Encumbrance':
          sums.encumbered = sums.encumbered.plus(amount)
          break
        case 'Pending payment':
          awaiting = awaiting.plus(amount)
          break
        case 'Payment':
          sums.expended = sums.expended.plus(amount)
          break
        case 'Credit':
          sums.expended = sums.expended.plus(-amount)
          break
      }
    }
    result.encumbered.push(sums.encumbered.toNumber())
    result.expended.push(sums.expended.toNumber())
    result.available.push(
      sums.funding.minus(sums.encumbered).minus(awaiting).minus(sums.expended).toNumber(),
    )
  }
  return result
}
