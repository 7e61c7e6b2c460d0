import { describe, expect, test } from 'vitest'
import { functionsOf, treeOf } from './profile'

const FOLDED = 'main;serve;read 3\nmain;serve;write;write 2\nmain;idle 1\n'

describe('a profile', () => {
  test('adds up stacks that begin alike', () => {
    const tree = treeOf(FOLDED)
    expect(tree.total).toBe(6)
    const serve = tree.calls.get('main')?.calls.get('serve')
    expect([serve?.total, serve?.self, serve?.calls.size]).toEqual([5, 0, 2])
  })
  test('counts a function that calls itself once', () => {
    const shares = functionsOf(treeOf(FOLDED))
    expect(shares[0]).toEqual({ name: 'read', self: 3, total: 3 })
    expect(shares.find(({ name }) => name === 'write')).toEqual({
      name: 'write',
      self: 2,
      total: 2,
    })
  })
  test('leaves out what is no stack', () => {
    expect(treeOf('\nnonsense\n;').total).toBe(0)
  })
})
