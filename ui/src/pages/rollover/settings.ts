// The form of a rollover as one flat record, and the body that the route wants. Names: `b:<type of fund>:<property>`
// and `o:<type of order>:<property>`.
import {
  type BudgetSetting,
  type EncumbranceSetting,
  ORDER_TYPES,
  type Rollover,
} from '#/acquisitions/rollovers'
import type { Values } from '#/inventory/form/specs'

export const budgetName = (type: string, property: string) => `b:${type}:${property}`
export const orderName = (type: string, property: string) => `o:${type}:${property}`

const BUDGET = [
  'rolloverAllocation',
  'adjustAllocation',
  'rolloverBudgetValue',
  'addAvailableTo',
  'setAllowances',
  'allowableEncumbrance',
  'allowableExpenditure',
] as const

/** What most libraries do: the allocation again, nothing of what is left, orders by what they first cost. */
export function proposed(
  types: readonly string[],
  rules: Pick<Rollover, 'restrictEncumbrance' | 'restrictExpenditures'>,
): Values {
  return {
    restrictEncumbrance: rules.restrictEncumbrance ?? false,
    restrictExpenditures: rules.restrictExpenditures ?? false,
    needCloseBudgets: true,
    ...Object.fromEntries(
      types.flatMap((type) => [
        [budgetName(type, 'rolloverAllocation'), true],
        [budgetName(type, 'rolloverBudgetValue'), 'None'],
        [budgetName(type, 'addAvailableTo'), 'Available'],
      ]),
    ),
    ...Object.fromEntries(
      ORDER_TYPES.flatMap((type) => [
        [orderName(type, 'rolled'), true],
        [orderName(type, 'basedOn'), 'InitialAmount'],
      ]),
    ),
  }
}

/** The settings of an earlier rollover, such as a preview, as the form has them. */
export function valuesOf(types: readonly string[], rollover: Rollover): Values {
  const { restrictEncumbrance, restrictExpenditures, needCloseBudgets, toFiscalYearId } = rollover
  const values: Values = {
    restrictEncumbrance,
    restrictExpenditures,
    needCloseBudgets,
    toFiscalYearId,
  }
  for (const type of types) {
    const setting = rollover.budgetsRollover.find((one) => (one.fundTypeId ?? '') === type)
    for (const property of BUDGET) values[budgetName(type, property)] = setting?.[property]
  }
  for (const { orderType, basedOn, increaseBy } of rollover.encumbrancesRollover) {
    values[orderName(orderType, 'rolled')] = true
    values[orderName(orderType, 'basedOn')] = basedOn
    values[orderName(orderType, 'increaseBy')] = increaseBy
  }
  return values
}

export function budgetsOf(types: readonly string[], values: Values): BudgetSetting[] {
  return types.map((type) => {
    const of = <T>(property: string) => values[budgetName(type, property)] as T
    const setAllowances = of<boolean>('setAllowances') === true
    const rolloverAllocation = of<boolean>('rolloverAllocation') === true
    return {
      ...(type ? { fundTypeId: type } : {}),
      rolloverAllocation,
      // Without the allocation there is nothing to adjust.
      ...(rolloverAllocation ? { adjustAllocation: of<number>('adjustAllocation') ?? 0 } : {}),
      rolloverBudgetValue: of<string>('rolloverBudgetValue') ?? 'None',
      addAvailableTo: of<string>('addAvailableTo') ?? 'Available',
      setAllowances,
      ...(setAllowances
        ? {
            allowableEncumbrance: of<number | undefined>('allowableEncumbrance'),
            allowableExpenditure: of<number | undefined>('allowableExpenditure'),
          }
        : {}),
    }
  })
}

export function encumbrancesOf(values: Values): EncumbranceSetting[] {
  return ORDER_TYPES.filter((type) => values[orderName(type, 'rolled')] === true).map(
    (orderType) => ({
      orderType,
      basedOn: String(values[orderName(orderType, 'basedOn')] ?? 'InitialAmount'),
      increaseBy: Number(values[orderName(orderType, 'increaseBy')] ?? 0),
    }),
  )
}
