// Money in its own currency. What the server computes is shown as it says; only the picture of a year adds up, exactly.
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { useLocale } from '#/api/locale'
import { whole } from '#/lib/format'

export type Money = (amount: number | undefined, currency?: string) => string | undefined

/** An amount in a currency, the library's own without one. */
export function useMoney(): Money {
  const { locale } = useIntl()
  const { currency: own } = useLocale()
  return useMemo(() => moneyOf(locale, own), [locale, own])
}

export function moneyOf(locale: string, own: string): Money {
  const formats = new Map<string, Intl.NumberFormat>()
  const format = (currency: string) => {
    const known = formats.get(currency)
    if (known) return known
    const made = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: currency === own ? 'narrowSymbol' : 'code',
    })
    formats.set(currency, made)
    return made
  }
  return (amount, currency) => {
    if (amount === undefined || amount === null) return undefined
    try {
      return whole(format(currency || own).format(amount))
    } catch {
      // No currency that Intl knows: the figure and the code as they are.
      return `${amount} ${currency}`
    }
  }
}

const PLACES = 6
const SCALE = 10n ** BigInt(PLACES)

/** A sum of decimal numbers as they stand in the JSON, without the error of binary fractions. */
export class Exact {
  private units: bigint
  constructor(units = 0n) {
    this.units = units
  }
  static of(amount: number): Exact {
    const text = Math.abs(amount).toFixed(PLACES)
    const units = BigInt(text.replace('.', ''))
    return new Exact(amount < 0 ? -units : units)
  }
  plus(amount: number): Exact {
    return new Exact(this.units + Exact.of(amount).units)
  }
  minus(other: Exact): Exact {
    return new Exact(this.units - other.units)
  }
  toNumber(): number {
    const sign = this.units < 0n ? '-' : ''
    const size = this.units < 0n ? -this.units : this.units
    return Number(`${sign}${size / SCALE}.${String(size % SCALE).padStart(PLACES, '0')}`)
  }
}
