// A period as two dates with their year: "1 Jan – 31 Dec 2026". Days of the week say nothing about it.
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { useLocale } from '#/api/locale'

export function usePeriod(): (start: string, end: string) => string {
  const { locale } = useIntl()
  const { timezone: timeZone } = useLocale()
  return useMemo(() => periodOf(locale, timeZone), [locale, timeZone])
}

export function periodOf(locale: string, timeZone: string) {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  return (start: string, end: string) => {
    const [from, to] = [new Date(start), new Date(end)]
    const isPeriod = !Number.isNaN(from.getTime()) && !Number.isNaN(to.getTime()) && from <= to
    return isPeriod ? format.formatRange(from, to) : [start, end].filter(Boolean).join(' – ')
  }
}
