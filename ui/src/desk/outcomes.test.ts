import { expect, test } from 'vitest'
import { type CheckInAnswer, outcomeOf, slipOf } from './outcomes'

const answer = (status: string, more: Partial<CheckInAnswer> = {}): CheckInAnswer => ({
  item: { title: 'T', status: { name: status }, location: { name: 'Stacks 1' } },
  ...more,
})
const held = {
  staffSlipContext: {
    requester: { firstName: 'Nkechi', lastName: 'Okafor', barcode: '21104412' },
    request: { holdShelfExpirationDate: '2026-11-30T00:00:00Z' },
  },
}

test.each([
  ['Available', {}, 0, ['ok', 'desk.shelve', 'Stacks 1', 'ok']],
  ['Available', {}, 3.6, ['ok', 'desk.shelve', 'Stacks 1', 'fee']],
  ['Available', { inHouseUse: true }, 0, ['ok', 'desk.usedInHouse', 'Stacks 1', 'ok']],
  ['Awaiting pickup', held, 0, ['hold', 'desk.holdShelf', 'OKAF 4412', 'hold']],
  ['Withdrawn', {}, 0, ['offline', 'desk.putAside', 'Withdrawn', 'ok']],
] as const)('%s', (status, more, owed, [kind, word, place, tone]) => {
  expect(outcomeOf(answer(status, more), owed)).toMatchObject({ kind, word, place, tone })
})

test('a transit goes where the item says', () => {
  const transit = answer('In transit')
  transit.item.inTransitDestinationServicePoint = { name: 'Harbour branch' }
  expect(outcomeOf(transit, 0)).toMatchObject({ kind: 'transit', place: 'Harbour branch' })
})

test('only what waits or travels has a slip', () => {
  expect(slipOf(answer('Available'))).toBeUndefined()
  expect(slipOf(answer('Awaiting pickup'))?.kind).toBe('hold')
  expect(slipOf(answer('In transit'))?.kind).toBe('transit')
})
