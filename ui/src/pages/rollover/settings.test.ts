import { expect, test } from 'vitest'
import type { Rollover } from '#/acquisitions/rollovers'
import { budgetsOf, encumbrancesOf, proposed, valuesOf } from './settings'

test('each type of funds has a row, and funds without a type have one without an id', () => {
  const values = {
    ...proposed(['', 'books'], {}),
    'b:books:adjustAllocation': 10,
    'b:books:setAllowances': true,
    'b:books:allowableEncumbrance': 110,
  }
  expect(budgetsOf(['', 'books'], values)).toEqual([
    {
      rolloverAllocation: true,
      adjustAllocation: 0,
      rolloverBudgetValue: 'None',
      addAvailableTo: 'Available',
      setAllowances: false,
    },
    {
      fundTypeId: 'books',
      rolloverAllocation: true,
      adjustAllocation: 10,
      rolloverBudgetValue: 'None',
      addAvailableTo: 'Available',
      setAllowances: true,
      allowableEncumbrance: 110,
    },
  ])
})

test('an adjustment without the allocation is not sent', () => {
  const values = { 'b::rolloverAllocation': false, 'b::adjustAllocation': 10 }
  expect(budgetsOf([''], values)[0]).not.toHaveProperty('adjustAllocation')
})

test('only the types of orders that are chosen are rolled over', () => {
  const values = { ...proposed([], {}), 'o:Ongoing:rolled': false, 'o:One-time:increaseBy': 3.5 }
  expect(encumbrancesOf(values)).toEqual([
    { orderType: 'One-time', basedOn: 'InitialAmount', increaseBy: 3.5 },
    { orderType: 'Ongoing-Subscription', basedOn: 'InitialAmount', increaseBy: 0 },
  ])
})

test('the settings of a preview come back as they were', () => {
  const preview = {
    toFiscalYearId: 'next',
    restrictEncumbrance: true,
    restrictExpenditures: false,
    needCloseBudgets: false,
    budgetsRollover: budgetsOf([''], { ...proposed([''], {}), 'b::adjustAllocation': 5 }),
    encumbrancesRollover: [{ orderType: 'Ongoing', basedOn: 'Expended', increaseBy: 2 }],
  } as unknown as Rollover
  const values = valuesOf([''], preview)
  expect(values.toFiscalYearId).toBe('next')
  expect(values.needCloseBudgets).toBe(false)
  expect(budgetsOf([''], values)).toEqual(preview.budgetsRollover)
  expect(encumbrancesOf(values)).toEqual(preview.encumbrancesRollover)
})
