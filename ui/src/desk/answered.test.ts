import { expect, test } from 'vitest'
import { ApiFailure, type FolioError } from '#/api/errors'
import { refused } from './answered'
import type { Scan } from './types'

const scan: Scan = { id: '1', barcode: 'b', at: 0, state: 'asking', answers: {}, questions: [] }
const error = (name?: string, missingPermissions: string[] = []): FolioError => ({
  message: 'Item is not loanable',
  code: 'ITEM_NOT_LOANABLE',
  parameters: [],
  overridableBlock: name ? { name, missingPermissions } : undefined,
})
const refusal = (errors: FolioError[], of = scan) =>
  refused(() => Promise.reject(new ApiFailure({ kind: 'refused', status: 422, errors })), of)

test('an overridable refusal is a question that names what is missing', async () => {
  const answer = await refusal([error('itemNotLoanableBlock', ['circulation.x'])])
  expect(answer).toMatchObject({
    state: 'question',
    questions: [{ kind: 'override', blocks: ['itemNotLoanableBlock'], missing: ['circulation.x'] }],
  })
})

test('one reason that cannot be overridden refuses', async () => {
  expect((await refusal([error('patronBlock'), error()])).state).toBe('refused')
})

test('an override that is refused again is not asked again', async () => {
  const tried = {
    ...scan,
    answers: { override: { blocks: ['patronBlock' as const], comment: 'x' } },
  }
  expect((await refusal([error('patronBlock')], tried)).state).toBe('refused')
})

test('a second block keeps the first one overridden', async () => {
  const tried = {
    ...scan,
    answers: { override: { blocks: ['patronBlock' as const], comment: 'x' } },
  }
  const answer = await refusal([error('itemLimitBlock')], tried)
  expect(answer.questions).toMatchObject([{ blocks: ['itemLimitBlock', 'patronBlock'] }])
})

test('a fault is no refusal', async () => {
  await expect(
    refused(() => Promise.reject(new ApiFailure({ kind: 'unreachable' })), scan),
  ).rejects.toThrow('unreachable')
})
