import { expect, test } from 'vitest'
import type { StoredItem } from '#/inventory/types'
import { copyOf, toInventory } from './wire'

const item: StoredItem = {
  id: 'i',
  _version: 3,
  hrid: 'it1',
  holdingsRecordId: 'h',
  barcode: '341',
  status: { name: 'Checked out' },
  materialTypeId: 'book',
  permanentLoanTypeId: 'standard',
  effectiveLocationId: 'there',
}

test('ids become records, the version stays, what the server works out is not sent', () => {
  expect(toInventory(item)).toEqual({
    id: 'i',
    _version: 3,
    hrid: 'it1',
    holdingsRecordId: 'h',
    barcode: '341',
    status: { name: 'Checked out' },
    materialType: { id: 'book' },
    permanentLoanType: { id: 'standard' },
    temporaryLoanType: undefined,
    permanentLocation: undefined,
    temporaryLocation: undefined,
  })
})

test('a copy has neither number nor state of the item', () => {
  expect(copyOf(item)).toEqual({
    holdingsRecordId: 'h',
    materialTypeId: 'book',
    permanentLoanTypeId: 'standard',
  })
})
