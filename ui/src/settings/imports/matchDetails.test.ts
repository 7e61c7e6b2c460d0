import { expect, test } from 'vitest'
import { detailsOf, IDENTIFIERS, matchForm, STATIC } from './matchDetails'

const profile = { incomingRecordType: 'MARC_BIBLIOGRAPHIC', existingRecordType: 'INSTANCE' }
const detail = {
  ...profile,
  matchCriterion: 'EXACTLY_MATCHES',
  incomingMatchExpression: {
    dataValueType: 'VALUE_FROM_RECORD',
    qualifier: { comparisonPart: 'NUMERICS_ONLY' },
    fields: [
      { label: 'field', value: '020' },
      { label: 'indicator1', value: '' },
      { label: 'indicator2', value: '' },
      { label: 'recordSubfield', value: 'a' },
    ],
  },
  existingMatchExpression: {
    dataValueType: 'VALUE_FROM_RECORD',
    fields: [
      { label: 'field', value: IDENTIFIERS },
      { label: 'identifierTypeId', value: 'isbn' },
    ],
  },
}

test('places become fields of a form, and come back as they were', () => {
  const second = { ...detail, matchCriterion: 'EXISTING_VALUE_CONTAINS_INCOMING_VALUE', more: 1 }
  const form = matchForm({ ...profile, matchDetails: [detail, second] })
  expect(form.$detail).toMatchObject({
    $in: { field: '020', recordSubfield: 'a' },
    $ex: { field: IDENTIFIERS, identifierTypeId: 'isbn' },
  })
  expect(form.$others).toMatchObject([{ $in: { field: '020', recordSubfield: 'a' } }])
  expect(detailsOf(form)).toEqual([detail, second])
  expect(detailsOf({ ...form, $others: [] })).toEqual([detail])
})

test('a kind of identifier belongs to identifiers only', () => {
  const $ex = { field: 'instance.hrid', identifierTypeId: 'isbn' }
  const [made] = detailsOf({ ...profile, $detail: { $in: { field: '001' }, $ex } })
  expect(made?.existingMatchExpression).toEqual({
    dataValueType: 'VALUE_FROM_RECORD',
    fields: [{ label: 'field', value: 'instance.hrid' }],
  })
})

test('a qualifier without a kind says nothing', () => {
  const qualifier = { qualifierValue: '(OCoLC)' }
  const incomingMatchExpression = { qualifier }
  const [made] = detailsOf({
    ...profile,
    $detail: { $in: { field: '035' }, incomingMatchExpression },
  })
  expect(made?.incomingMatchExpression).not.toHaveProperty('qualifier')
})

test('a fixed value keeps what its kind has, and no place in the file', () => {
  const staticValueDetails = {
    staticValueType: 'DATE_RANGE',
    text: 'left over',
    fromDate: '2026-01-01',
    toDate: '2026-12-31',
  }
  const [made] = detailsOf({
    incomingRecordType: STATIC,
    existingRecordType: 'ITEM',
    $detail: {
      matchCriterion: 'EXACTLY_MATCHES',
      incomingMatchExpression: {
        staticValueDetails,
        qualifier: { comparisonPart: 'NUMERICS_ONLY' },
      },
      $in: { field: '001' },
      $ex: { field: 'item.itemDamagedStatusDate' },
    },
  })
  const incoming = {
    dataValueType: STATIC,
    fields: [],
    staticValueDetails: {
      staticValueType: 'DATE_RANGE',
      fromDate: '2026-01-01',
      toDate: '2026-12-31',
    },
  }
  expect(made).toMatchObject({ incomingRecordType: STATIC, incomingMatchExpression: incoming })
  expect(made?.incomingMatchExpression).toEqual(incoming)
  expect(matchForm({ matchDetails: [made] })).toMatchObject({ incomingRecordType: STATIC })
})
