import { expect, test } from 'vitest'
import type { Text } from '#/i18n/text'
import { faultsOf, missing } from './faults'

const t = ((id: string) => id) as Text

test('a taken barcode is a fault of its field, from a list of errors and from a text', () => {
  const message = 'This barcode has already been taken'
  const errors = [{ message, parameters: [] }]
  const expected = { barcode: 'users.takenBarcode' }
  expect(faultsOf({ kind: 'refused', status: 422, errors }, t)).toEqual(expected)
  expect(faultsOf({ kind: 'fault', status: 400, text: message }, t)).toEqual(expected)
})

test('what belongs to no field stays a failure of the whole', () => {
  expect(faultsOf({ kind: 'fault', status: 500, text: 'x' }, t)).toEqual({})
})

test('a last name is needed; an address has an at', () => {
  expect(missing({ personal: { lastName: ' ', email: 'a' } }, t)).toEqual({
    lastName: 'users.typeLastName',
    email: 'users.typeEmail',
  })
})
