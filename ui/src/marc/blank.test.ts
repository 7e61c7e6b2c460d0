import { expect, test } from 'vitest'
import { blankAuthority, blankHoldings, blankRecord } from './blank'
import { elementsFor, fitted, placesOf, underLeader } from './fixed'
import { lineOf } from './model'

const BOOK = '00000nam\\a2200000\\i\\4500'
const SERIAL = '00000nas\\a2200000\\i\\4500'
const MAP = '00000nem\\a2200000\\i\\4500'

test('a new record has the fields without which none is stored', () => {
  const { fields, leader } = blankRecord()
  expect(leader).toHaveLength(24)
  expect(fields.map(({ tag }) => tag)).toEqual(['008', '245'])
})

test('other material has other places in 008; what both have stays', () => {
  const book = { ...elementsFor(BOOK), Lang: 'eng', Form: 'o', Ills: ['a', '\\', '\\', '\\'] }
  const [line] = underLeader(
    'BIBLIOGRAPHIC',
    [lineOf({ tag: '008', content: book, indicators: [] })],
    BOOK,
    SERIAL,
  )
  expect(line?.content).toMatchObject({ BLvl: 's', Lang: 'eng', Form: 'o', Freq: '\\' })
  expect(line?.content).not.toHaveProperty('Ills')
  // Of the same name and another length: not the same.
  expect(line?.content).toMatchObject({ Cont: ['\\', '\\', '\\'] })
  expect(placesOf(MAP)).not.toBe(placesOf(BOOK))
  const same = [lineOf({ tag: '008', content: book, indicators: [] })]
  expect(underLeader('BIBLIOGRAPHIC', same, BOOK, BOOK.replace('nam', 'cam'))).toEqual(same)
})

test('holdings and authorities begin with what they need, in the lengths of MARC 21', () => {
  const lengths = (content: unknown) =>
    Object.values(content as Record<string, string | string[]>).reduce(
      (sum, one) => sum + one.length,
      0,
    )
  const holdings = blankHoldings('in1')
  expect(holdings.leader).toHaveLength(24)
  expect(holdings.fields.map(({ tag }) => tag)).toEqual(['004', '008', '852'])
  expect(lengths(holdings.fields[1]?.content)).toBe(32)
  const authority = blankAuthority()
  expect(authority.leader).toHaveLength(24)
  expect(authority.fields.map(({ tag }) => tag)).toEqual(['001', '008', '100'])
  expect(lengths(authority.fields[1]?.content)).toBe(40)
  // The leader of holdings says nothing about 008.
  const lines = holdings.fields.map(lineOf)
  const other = holdings.leader.replace('nu', 'ny')
  expect(underLeader('HOLDINGS', lines, holdings.leader, other)).toEqual(lines)
})

test('a fixed field that is begun has places, and other ones for other material', () => {
  const record = { format: 'HOLDINGS', leader: blankHoldings('in1').leader } as const
  const line = { tag: '', content: '$a ', indicators: ['\\', '\\'] }
  const begun = fitted(line, { tag: '007' }, record)
  expect(begun.content).toMatchObject({ $categoryName: 'Text', Category: 't', SMD: '\\' })
  const text = { tag: '007', content: begun.content ?? '', indicators: [] }
  const film = fitted(text, { content: { ...(begun.content as object), Category: 'h' } }, record)
  expect(film.content).toMatchObject({ $categoryName: 'Microform', 'Emulsion on film': '\\' })
  const serial = fitted({ ...line, tag: '00' }, { tag: '006' }, record)
  expect(serial.content).toMatchObject({ Type: 'a', Ills: ['\\', '\\', '\\', '\\'] })
  expect(fitted(line, { tag: '866' }, record)).toEqual({ tag: '866' })
})
