// The fields of a rollover: years and rules, then a part for each type of fund and for the orders.
import type { Choice } from '#/acquisitions/form/fields'
import { ORDER_TYPES } from '#/acquisitions/rollovers'
import type { Text } from '#/i18n/text'
import type { Part, Spec } from '#/inventory/form/specs'
import { budgetName, orderName } from './settings'

interface Known {
  years: readonly Choice[]
  types: readonly Choice[]
}

const CARRIED = ['None', 'Available', 'CashBalance'] as const
const ADDED = ['Available', 'Allocation'] as const
const BASED = ['InitialAmount', 'Remaining', 'Expended'] as const

export function rolloverParts(
  t: Text,
  choices: (values: readonly string[]) => Choice[],
  { years, types }: Known,
): Part[] {
  const year = (name: string, label: string): Spec => ({
    name,
    label,
    kind: 'choice',
    needed: true,
    choices: years,
  })
  const flag = (name: string, label: string): Spec => ({ name, label, kind: 'flag' })
  const number = (name: string, label: string): Spec => ({ name, label, kind: 'number' })
  const choice = (name: string, label: string, of: Choice[]): Spec => ({
    name,
    label,
    kind: 'choice',
    choices: of,
  })
  const budgets = ({ value: type, text }: Choice): Part => {
    const name = (property: string) => budgetName(type, property)
    return {
      title: t('fin.budgetsOf', { name: text }),
      fields: [
        choice(
          name('rolloverBudgetValue'),
          t('fin.carry'),
          CARRIED.map((value) => ({ value, text: t(`fin.carried.${value}`) })),
        ),
        choice(
          name('addAvailableTo'),
          t('fin.addTo'),
          ADDED.map((value) => ({ value, text: t(`fin.added.${value}`) })),
        ),
        flag(name('rolloverAllocation'), t('fin.rolloverAllocation')),
        number(name('adjustAllocation'), t('fin.adjustAllocation')),
        flag(name('setAllowances'), t('fin.setAllowances')),
        number(name('allowableEncumbrance'), t('acq.allowableEncumbrance')),
        number(name('allowableExpenditure'), t('acq.allowableExpenditure')),
      ],
    }
  }
  const orders = (type: string): Part => ({
    title: t('fin.ordersOf', { name: choices([type])[0]?.text ?? type }),
    fields: [
      flag(orderName(type, 'rolled'), t('fin.rolled')),
      choice(
        orderName(type, 'basedOn'),
        t('fin.basedOn'),
        BASED.map((value) => ({ value, text: t(`fin.based.${value}`) })),
      ),
      number(orderName(type, 'increaseBy'), t('fin.increaseBy')),
    ],
  })
  return [
    {
      title: t('acq.period'),
      fields: [
        year('fromFiscalYearId', t('fin.fromYear')),
        year('toFiscalYearId', t('fin.toYear')),
        flag('needCloseBudgets', t('fin.closeBudgets')),
        flag('restrictEncumbrance', t('acq.restrictEncumbrance')),
        flag('restrictExpenditures', t('acq.restrictExpenditures')),
      ],
    },
    ...types.map(budgets),
    ...ORDER_TYPES.map(orders),
  ]
}
