import { expect, test } from 'vitest'
import { ApiFailure } from '#/api/errors'
import { overrideBlocks, refusedOf } from './acts'

const refusal = (...errors: object[]) =>
  new ApiFailure({
    kind: 'refused',
    status: 422,
    errors: errors.map((one) => ({ message: '', parameters: [], ...one })),
  })

test('known refusals are words of ours, others the server’s', () => {
  const found = refusedOf(
    refusal({ message: 'loan at maximum renewal number' }, { message: 'the moon is wrong' }),
  )
  expect(found.reasons).toEqual(['loans.refused.maximum'])
  expect(found.detail).toBe('the moon is wrong')
})

test('an override is offered only where it lifts every refusal', () => {
  const block = { name: 'renewalBlock' }
  expect(refusedOf(refusal({ overridableBlock: block }, { message: 'no' })).blocks).toEqual([])
  expect(
    refusedOf(refusal({ overridableBlock: block }, { overridableBlock: block })).blocks,
  ).toEqual(['renewalBlock'])
})

test('the date goes with the block that needs it', () => {
  const blocks = ['renewalDueDateRequiredBlock', 'patronBlock']
  expect(overrideBlocks({ blocks, comment: 'c', dueDate: 'd' })).toEqual({
    renewalDueDateRequiredBlock: { dueDate: 'd' },
    patronBlock: {},
    comment: 'c',
  })
})
