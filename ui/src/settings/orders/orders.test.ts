import { expect, test } from 'vitest'
import { formOf, storedValue } from './entries'
import { memberChanges } from './units'

test('the entries of the configuration are one form, and the form is the entries again', () => {
  const stored = [
    { id: '1', configName: 'approvals', value: '{"isApprovalRequired":true}' },
    { id: '2', configName: 'poLines-limit', value: '20' },
    { id: '3', configName: 'createInventory', value: '{"physical":"None"}' },
    { id: '4', configName: 'disableInstanceMatching', value: 'not JSON' },
    { id: '5', configName: 'somebody else’s', value: 'x' },
  ]
  const form = formOf(stored)
  expect(form).toMatchObject({
    $approvals: { isApprovalRequired: true },
    $limit: 20,
    $createInventory: { physical: 'None' },
  })
  expect(storedValue(form, '$approvals')).toBe('{"isApprovalRequired":true}')
  expect(storedValue(form, '$limit')).toBe('20')
  expect(storedValue(form, '$matching')).toBeUndefined()
  expect(storedValue({ $createInventory: {} }, '$createInventory')).toBeUndefined()
})

test('a member whose person was exchanged leaves, and the other joins; nobody joins twice', () => {
  const stored = [
    { id: 'm1', userId: 'a' },
    { id: 'm2', userId: 'b' },
  ]
  const wanted = [{ id: 'm1', userId: 'c' }, { id: 'm2', userId: 'b' }, { userId: 'c' }, {}]
  expect(memberChanges(wanted, stored)).toEqual({ leave: [stored[0]], join: ['c'] })
})
