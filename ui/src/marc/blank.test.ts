import { expect, test } from 'vitest'
import { blankRecord, elementsFor, placesOf, underLeader } from './blank'
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
  const [line] = underLeader([lineOf({ tag: '008', content: book, indicators: [] })], BOOK, SERIAL)
  expect(line?.content).toMatchObject({ BLvl: 's', Lang: 'eng', Form: 'o', Freq: '\\' })
  expect(line?.content).not.toHaveProperty('Ills')
  // Of the same name and another length: not the same.
  expect(line?.content).toMatchObject({ Cont: ['\\', '\\', '\\'] })
  expect(placesOf(MAP)).not.toBe(placesOf(BOOK))
  const same = [lineOf({ tag: '008', content: book, indicators: [] })]
  expect(underLeader(same, BOOK, BOOK.replace('nam', 'cam'))).toEqual(same)
})
