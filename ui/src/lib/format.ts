// Dates, money and names, formatted by the person's language.
import { useIntl } from 'react-intl'
import { useLocale } from '#/api/locale'

export interface Formats {
  /** "09:41" */
  clock(when: string | number | Date): string
  /** "Mon 21 Dec"; with the year when it is another one. */
  day(when: string | number | Date): string
  /** "Mon 21 Dec, 18:00" */
  dayTime(when: string | number | Date): string
  money(amount: number): string
  number(value: number): string
  list(parts: readonly string[]): string
}

/** To make them takes longer than to draw a row: every cell that shows a date uses the same. */
const known: Record<string, Formats> = {}

export function useFormats(): Formats {
  const { locale } = useIntl()
  const { currency, timezone } = useLocale()
  const key = locale + currency + timezone
  known[key] ??= formats(locale, currency, timezone)
  return known[key]
}

/** "US$" at the end of an amount would be torn apart from right to left: letters and sign run apart there. */
export const whole = (money: string) => money.replace(/[A-Z]+\$$/, '\u2066$&\u2069')

export function formats(locale: string, currency: string, timezone: string): Formats {
  const timeZone = timezone
  const at = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options })
  const clock = at({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const day = at({ weekday: 'short', day: 'numeric', month: 'short' })
  const dayOfYear = at({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  const year = at({ year: 'numeric' })
  const money = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  })
  const number = new Intl.NumberFormat(locale)
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  const comma = locale.startsWith('ar') ? '،' : ','
  // British English puts a comma after the weekday; the space between columns is short.
  const dated = (when: string | number | Date) => {
    const date = new Date(when)
    if (Number.isNaN(date.getTime())) return ''
    const sameYear = year.format(date) === year.format(new Date())
    return (sameYear ? day : dayOfYear).format(date).replace(',', '')
  }
  const timed = (when: string | number | Date) => {
    const date = new Date(when)
    return Number.isNaN(date.getTime()) ? '' : clock.format(date)
  }
  return {
    clock: timed,
    day: dated,
    dayTime: (when) => `${dated(when)}${comma} ${timed(when)}`,
    money: (amount) => whole(money.format(amount)),
    number: (value) => number.format(value),
    list: (parts) => list.format(parts),
  }
}
