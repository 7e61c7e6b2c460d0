import { expect, test } from 'vitest'
import { lacking, offered } from '../check'
import type { Choice, Kind } from '../kinds'
import { ACTED_ON, followAct } from './acts'
import { IMPORTS } from './kinds'
import { MAPPING_PROFILES } from './mappingKind'

const names = (choices: readonly Choice[], record: Record<string, unknown>, value?: unknown) =>
  offered(choices, record, value).map((one) => one.value)

test('an act is offered for the records that imports carry it out on', () => {
  expect(names(ACTED_ON, { action: 'MODIFY' })).toEqual(['MARC_BIBLIOGRAPHIC'])
  expect(names(ACTED_ON, { action: 'DELETE' })).toEqual(['MARC_AUTHORITY'])
  expect(names(ACTED_ON, { action: 'CREATE' })).not.toContain('MARC_BIBLIOGRAPHIC')
  expect(names(ACTED_ON, { action: 'UPDATE' })).not.toContain('ORDER')
  // A profile from elsewhere shows what it has.
  expect(names(ACTED_ON, { action: 'MODIFY' }, 'MARC_HOLDINGS')).toContain('MARC_HOLDINGS')
})

test('another act takes a record that it can be done with', () => {
  const of = (action: string, folioRecord: string) =>
    followAct({ action, folioRecord }, 'action').folioRecord
  expect(of('DELETE', 'INSTANCE')).toBe('MARC_AUTHORITY')
  expect(of('MODIFY', 'MARC_AUTHORITY')).toBe('MARC_BIBLIOGRAPHIC')
  expect(of('UPDATE', 'ITEM')).toBe('ITEM')
  const other = { action: 'MODIFY', folioRecord: 'ITEM' }
  expect(followAct(other, 'name')).toBe(other)
})

test('a deletion needs no field mapping', () => {
  const actions = IMPORTS.find(({ id }) => id === 'action-profiles') as Kind
  const lacks = (action: string) => [
    ...lacking(actions, { name: 'x', action, folioRecord: 'MARC_AUTHORITY' }),
  ]
  expect(lacks('DELETE')).toEqual([])
  expect(lacks('UPDATE')).toEqual(['$mapping'])
})

test('only bibliographic records are modified by a mapping', () => {
  const option = MAPPING_PROFILES.fields.find(({ label }) => label === 'map.option')
  if (option?.type !== 'select') throw new Error('no select')
  const of = (existingRecordType: string) => names(option.choices, { existingRecordType })
  expect(of('MARC_BIBLIOGRAPHIC')).toEqual(['MODIFY', 'UPDATE'])
  expect(of('MARC_AUTHORITY')).toEqual(['UPDATE'])
  const record = {
    incomingRecordType: 'MARC_AUTHORITY',
    existingRecordType: 'MARC_AUTHORITY',
    mappingDetails: { marcMappingOption: 'MODIFY' },
  }
  expect(MAPPING_PROFILES.follow?.(record, 'existingRecordType').mappingDetails).toMatchObject({
    marcMappingOption: 'UPDATE',
  })
})
