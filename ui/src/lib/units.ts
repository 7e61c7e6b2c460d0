// Amounts with their units, by the person's language.
import { useMemo } from 'react'
import { useIntl } from 'react-intl'

export interface Units {
  /** "2.4 ms", "1.2 s" */
  milliseconds: (value: number) => string
  /** "16.4 kB" */
  bytes: (value: number) => string
  percent: (value: number) => string
  decimal: (value: number) => string
  /** "3:20" */
  clock: (seconds: number) => string
}

const SECOND_MS = 1000
const BYTES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function useUnits(): Units {
  const { locale } = useIntl()
  return useMemo(() => unitsOf(locale), [locale])
}

export function unitsOf(locale: string): Units {
  const unit = (name: string, digits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    })
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const fine = unit('millisecond', 2)
  const coarse = unit('millisecond', 1)
  const whole = unit('millisecond', 0)
  const seconds = unit('second', 1)
  const sizes = BYTES.map((name, at) => unit(name, at ? 1 : 0))
  return {
    milliseconds: (value) => {
      if (value >= 10 * SECOND_MS) return seconds.format(value / SECOND_MS)
      if (value >= 100) return whole.format(value)
      return (value >= 1 ? coarse : fine).format(value)
    },
    bytes: (value) => {
      const at = Math.min(BYTES.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3))
      return sizes[at]?.format(value / 1000 ** at) ?? ''
    },
    percent: (value) => percent.format(value),
    decimal: (value) => decimal.format(value),
    clock: (value) => {
      const whole = Math.round(value)
      const minutes = Math.floor(whole / 60)
      return `${minutes}:${String(whole % 60).padStart(2, '0')}`
    },
  }
}
