import { describe, expect, it } from 'vitest'
import { between, ofDiff } from './changes'

describe('changes of a record', () => {
  it('are read as the server tells them', () => {
    const diff = {
      fieldChanges: [
        { fullPath: 'status.name', oldValue: 'Available', newValue: 'Checked out' },
        { fullPath: 'volume', newValue: 'v.1' },
      ],
      collectionChanges: [
        { collectionName: 'editions', itemChanges: [{ oldValue: '1st' }, { newValue: '2nd' }] },
      ],
    }
    expect(ofDiff(diff)).toEqual([
      { path: 'status.name', before: ['Available'], after: ['Checked out'] },
      { path: 'volume', before: [], after: ['v.1'] },
      { path: 'editions', before: ['1st'], after: ['2nd'] },
    ])
    expect(ofDiff(undefined)).toEqual([])
  })

  it('are computed from two contents', () => {
    const older = { status: 'Pending', cost: { price: 10 }, notes: ['a', 'b'], same: [1, 2] }
    const newer = { status: 'Open', cost: { price: 12 }, notes: ['b', 'c'], same: [2, 1] }
    expect(between(older, newer)).toEqual([
      { path: 'status', before: ['Pending'], after: ['Open'] },
      { path: 'cost.price', before: [10], after: [12] },
      { path: 'notes', before: ['a'], after: ['c'] },
    ])
  })

  it('have nothing of what the server writes by itself or what is empty in both', () => {
    const older = { metadata: { updatedDate: '1' }, tags: { tagList: [] }, approved: false }
    const newer = { metadata: { updatedDate: '2' }, approved: false, notes: [] }
    expect(between(older, newer)).toEqual([])
  })
})
