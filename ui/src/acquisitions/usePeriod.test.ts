import { expect, test } from 'vitest'
import { periodOf } from './usePeriod'

test('a period has its year once, and its days in the time zone of the library', () => {
  const period = periodOf('en-GB', 'UTC')
  expect(period('2026-01-01T00:00:00.000+00:00', '2026-12-31T23:59:59.000+00:00')).toMatch(
    /^1 Jan\s–\s31 Dec 2026$/,
  )
  expect(period('2025-07-01T00:00:00Z', '2026-06-30T23:59:59Z')).toMatch(/^1 Jul 2025\s–\s30 Jun/)
  expect(periodOf('en-GB', 'Asia/Tokyo')('2026-01-01T20:00:00Z', '2026-01-31T00:00:00Z')).toMatch(
    /^2\s?–\s?31 Jan 2026$/,
  )
})

test('what is no period stays as it was typed', () => {
  const period = periodOf('en-GB', 'UTC')
  expect(period('2026-02-01', '2026-01-01')).toBe('2026-02-01 – 2026-01-01')
  expect(period('soon', '')).toBe('soon')
})
