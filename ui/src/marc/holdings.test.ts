import { expect, test } from 'vitest'
import { checkHoldings } from './holdings'
import { lineOf } from './model'

const t = (id: string) => id
const codes = new Set(['KU/CC/DI/M'])
const record = (place: string, ...more: { tag: string; content: string; indicators: string[] }[]) =>
  [
    { tag: '004', content: 'in1', indicators: [] },
    { tag: '008', content: {}, indicators: [] },
    { tag: '852', content: place, indicators: ['0', '1'] },
    ...more,
  ].map(lineOf)

test('a place of the library is asked for, not demanded: the rules may take it from elsewhere', () => {
  expect(checkHoldings(record('$b KU/CC/DI/M $h QA 76'), codes, t)).toEqual([])
  expect(checkHoldings(record('$b nowhere'), codes, t)).toEqual([
    { tag: '852', severity: 'warn', message: 'inventory.noSuchPlace' },
  ])
  expect(checkHoldings(record('$h QA 76'), codes, t)[0]?.message).toBe('inventory.noPlace')
})

test('fields that are needed are there once, and tags have three figures', () => {
  const twice = { tag: '852', content: '$b KU/CC/DI/M', indicators: ['0', '1'] }
  const typo = { tag: '85', content: '$a x', indicators: [] }
  const said = checkHoldings(record('$b KU/CC/DI/M', twice, typo).slice(1), codes, t)
  expect(said.map(({ tag, severity }) => `${tag} ${severity}`)).toEqual([
    '004 error',
    '852[1] error',
    '85[0] error',
  ])
})
