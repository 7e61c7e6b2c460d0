import { expect, test } from 'vitest'
import { detailsOf, rowsOf } from './matchDetails'

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
    fields: [{ label: 'field', value: 'instance.hrid' }],
  },
}

test('places become fields of a form, and come back as they were', () => {
  const rows = rowsOf([detail])
  expect(rows[0]?.$in).toEqual({ field: '020', recordSubfield: 'a' })
  expect(rows[0]?.$ex).toEqual({ field: 'instance.hrid' })
  expect(detailsOf(profile, rows)).toEqual([detail])
})

test('a new row reads its value from the record', () => {
  const [made] = detailsOf(profile, [{ matchCriterion: 'EXACTLY_MATCHES', $in: { field: '001' } }])
  expect(made?.incomingMatchExpression).toMatchObject({ dataValueType: 'VALUE_FROM_RECORD' })
})
