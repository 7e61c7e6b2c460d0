import { expect, test } from 'vitest'
import { formats, whole } from './format'

test('from right to left the letters and the sign of a currency stay together', () => {
  const { money } = formats('ar-u-nu-latn', 'USD', 'UTC')
  expect(money(1234.5)).toMatch(/1,234\.50\s\u2066US\$\u2069$/)
  expect(whole('5.00 US$')).toBe('5.00 \u2066US$\u2069')
  expect(formats('en-GB', 'USD', 'UTC').money(5)).toBe('$5.00')
})

test('between day and time stands the comma of the language', () => {
  const when = '2020-11-28T20:31:00Z'
  expect(formats('en-GB', 'EUR', 'UTC').dayTime(when)).toBe('Sat 28 Nov 2020, 20:31')
  expect(formats('ar-u-nu-latn', 'EUR', 'UTC').dayTime(when)).toMatch(/2020، 20:31$/)
})
