import { expect, test } from 'vitest'
import { issuesOf } from './refusal'

const fault = (status: number, body: unknown) =>
  ({ kind: 'fault', status, text: JSON.stringify(body) }) as const

test('one error, several and issues are all issues of fields', () => {
  const one = { message: 'Is required tag', type: '-1', parameters: [{ key: '004' }] }
  expect(issuesOf(fault(422, one))).toEqual([
    { tag: '004', severity: 'error', message: 'Is required tag' },
  ])
  const errors = [{ message: 'Is unique tag', code: 'x', parameters: [{ key: '852' }] }]
  expect(issuesOf({ kind: 'refused', status: 422, errors })?.[0]?.tag).toBe('852')
  const issues = [{ tag: '245[0]', severity: 'warn', message: 'x' }]
  expect(issuesOf(fault(422, { issues }))).toEqual(issues)
})

test('a property of holdings is the field that it comes from; what is no refusal is none', () => {
  const said = "Mapped Holdings is invalid: Field 'permanentLocationId' is a required field"
  expect(issuesOf(fault(422, { message: said }))?.[0]?.tag).toBe('852')
  expect(issuesOf(fault(404, { message: 'No instance found' }))?.[0]?.tag).toBe('')
  expect(issuesOf(fault(500, { message: said }))).toBeUndefined()
  expect(issuesOf({ kind: 'fault', status: 422, text: 'plain' })).toBeUndefined()
  expect(issuesOf({ kind: 'unreachable' })).toBeUndefined()
})
