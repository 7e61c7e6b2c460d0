import { expect, test } from 'vitest'
import { BLOCKS } from './blocks'
import { CATALOGUE } from './catalogue'
import { isSame, isShown, lacking, shownOnly } from './check'
import { CIRCULATION } from './circulation'
import { ORDER_FIELDS, USER_FIELDS } from './customFields'
import { EXPORTS } from './exports'
import { FEES } from './fees'
import { nextHours } from './hours'
import { IMPORTS } from './imports/kinds'
import type { Kind } from './kinds'
import { LOAN_NOTICES } from './notices'
import { ORDERS } from './orders'
import { valueAt, without, withValue } from './paths'

test('inner properties are read and set without changing the record', () => {
  const before = { a: { b: 1, c: 2 } }
  expect(withValue(before, 'a.b', 3)).toEqual({ a: { b: 3, c: 2 } })
  expect(withValue({}, 'x.y.z', true)).toEqual({ x: { y: { z: true } } })
  expect(withValue(before, 'a.b', '')).toEqual({ a: { c: 2 } })
  expect(before).toEqual({ a: { b: 1, c: 2 } })
  expect(valueAt(before, 'a.c')).toBe(2)
  expect(valueAt(before, 'a.c.d')).toBeUndefined()
})

test('only what is shown can be lacking', () => {
  const policy = CIRCULATION.find(({ id }) => id === 'loan-policies') as Kind
  const fixed = { name: 'x', loanable: true, loansPolicy: { profileId: 'Fixed' } }
  expect([...lacking(policy, fixed)]).toEqual([
    'loansPolicy.fixedDueDateScheduleId',
    'loansPolicy.closedLibraryDueDateManagementId',
  ])
  expect([...lacking(policy, { name: 'x', loanable: false })]).toEqual([])
  const period = policy.fields.find(({ name }) => name === 'loansPolicy.period')
  if (!period) throw new Error('invariant: a loan policy has a period')
  expect(isShown(period, fixed)).toBe(false)
})

test('a length of time is a whole number above nothing, with its unit', () => {
  const policy = CIRCULATION.find(({ id }) => id === 'loan-policies') as Kind
  const lackingWith = (gracePeriod: unknown) => {
    const loansPolicy = {
      profileId: 'Indefinite',
      closedLibraryDueDateManagementId: 'CURRENT_DUE_DATE',
      gracePeriod,
    }
    return [...lacking(policy, { name: 'x', loanable: true, loansPolicy })]
  }
  expect(lackingWith({ duration: 2, intervalId: 'Days' })).toEqual([])
  expect(lackingWith(undefined)).toEqual([])
  for (const wrong of [
    { duration: 0, intervalId: 'Days' },
    { duration: 1.5, intervalId: 'Days' },
    { duration: 2 },
  ])
    expect(lackingWith(wrong)).toEqual(['loansPolicy.gracePeriod'])
})

test('what a form does not show goes, but not a property that another field shows', () => {
  const policy = CIRCULATION.find(({ id }) => id === 'loan-policies') as Kind
  const loansPolicy = {
    profileId: 'Fixed',
    closedLibraryDueDateManagementId: 'CURRENT_DUE_DATE',
    fixedDueDateScheduleId: 's',
  }
  const period = { duration: 3, intervalId: 'Weeks' }
  const record = { name: 'x', loanable: true, renewable: false, requestManagement: { pages: {} } }
  expect(
    shownOnly(policy, {
      ...record,
      loansPolicy: { ...loansPolicy, period },
      renewalsPolicy: { unlimited: true },
    }),
  ).toEqual({ ...record, loansPolicy })
})

test('the server’s own notes on a record, and the order of its properties, make no other record', () => {
  expect(isSame({ a: 1, b: { c: 2, d: 3 }, metadata: 1 }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true)
  expect(isSame({ a: 1 }, { a: 2 })).toBe(false)
})

test('each kind has an address of its own and shows its name in its form', () => {
  const own = [...USER_FIELDS, ...ORDER_FIELDS]
  const kinds = [
    ...CIRCULATION,
    ...BLOCKS,
    ...FEES,
    ...CATALOGUE,
    ...ORDERS,
    ...own,
    ...IMPORTS,
    ...EXPORTS,
  ]
  expect(new Set(kinds.map(({ id }) => id)).size).toBe(kinds.length)
  for (const { name, fields, fixed } of kinds)
    if (!fixed) expect(fields.map((field) => field.name)).toContain(name)
})

test('the rows of a list are asked for what they lack, by their place', () => {
  const policy = CIRCULATION.find(({ id }) => id === 'notice-policies') as Kind
  const loanNotices = [
    { templateId: 't', sendOptions: { sendWhen: 'Check in' } },
    { sendOptions: { sendWhen: 'Due date', sendHow: 'Before' } },
  ]
  expect([...lacking(policy, { name: 'x', loanNotices })]).toEqual([
    'loanNotices/1/templateId',
    'loanNotices/1/sendOptions.sendBy.duration',
    'loanNotices/1/sendOptions.sendBy.intervalId',
    'loanNotices/1/frequency',
  ])
})

test('a notice keeps nothing of what its event has no field for', () => {
  if (LOAN_NOTICES.type !== 'rows') throw new Error('invariant: notices are rows')
  const before = {
    templateId: 't',
    frequency: 'Recurring',
    sendOptions: {
      sendWhen: 'Due date',
      sendHow: 'Before',
      sendBy: { duration: 2, intervalId: 'Days' },
      sendEvery: { duration: 1, intervalId: 'Days' },
    },
  }
  expect(shownOnly(LOAN_NOTICES, before)).toEqual(before)
  const changed = withValue(before, 'sendOptions.sendWhen', 'Check in')
  expect(shownOnly(LOAN_NOTICES, changed)).toEqual({
    templateId: 't',
    sendOptions: { sendWhen: 'Check in' },
  })
  expect(without({ a: { b: 1 } }, 'a.b')).toEqual({})
  expect(without({ a: { b: 1 } }, 'x.y')).toEqual({ a: { b: 1 } })
})

test('new hours are those of the day before', () => {
  const sunday = { startDay: 'SUNDAY', startTime: '10:00', endDay: 'SUNDAY', endTime: '12:00' }
  expect(nextHours([sunday])).toEqual({ ...sunday, startDay: 'MONDAY', endDay: 'MONDAY' })
  expect(nextHours([])).toMatchObject({ startDay: 'MONDAY' })
})
