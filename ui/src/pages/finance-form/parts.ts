// The fields of fiscal years, ledgers, groups, funds and budgets.
import type { Choice } from '#/acquisitions/form/fields'
import type { FiscalYear, Fund, Ledger } from '#/acquisitions/types'
import { BUDGET, FUND } from '#/acquisitions/words'
import type { Text } from '#/i18n/text'
import type { Part, Spec } from '#/inventory/form/specs'
import type { Kind } from './kinds'

interface Known {
  years: readonly FiscalYear[]
  ledgers: readonly Ledger[]
  funds: readonly Fund[]
  types: readonly { id: string; name: string }[]
  groups: readonly { id: string; name: string; code?: string }[]
  classes: readonly { id: string; name: string; code?: string }[]
  choices: (values: readonly string[]) => Choice[]
  tags: Spec
}

const named = (all: readonly { id: string; name: string; code?: string }[]) =>
  all.map(({ id, name, code }) => ({ value: id, text: code ? `${code} · ${name}` : name }))

export function partsOf(kind: Kind, isStored: boolean, t: Text, known: Known): Part[] {
  const name: Spec = { name: 'name', label: t('acq.name'), kind: 'text', needed: true }
  const code: Spec = { name: 'code', label: t('acq.codeOf'), kind: 'text', needed: true }
  const description: Spec = { name: 'description', label: t('acq.description'), kind: 'long' }
  const status = (property: string, values: readonly string[]): Spec => ({
    name: property,
    label: t('acq.status'),
    kind: 'choice',
    needed: true,
    choices: known.choices(values),
  })
  const fields: { [kind in Kind]: Spec[] } = {
    years: [
      name,
      code,
      { name: 'periodStart', label: t('acq.from'), kind: 'day', needed: true },
      { name: 'periodEnd', label: t('acq.to'), kind: 'day', needed: true },
      description,
    ],
    ledgers: [
      name,
      code,
      {
        name: 'fiscalYearOneId',
        label: t('acq.firstYear'),
        kind: 'choice',
        needed: true,
        choices: named(known.years),
      },
      status('ledgerStatus', FUND),
      { name: 'restrictEncumbrance', label: t('acq.restrictEncumbrance'), kind: 'flag' },
      { name: 'restrictExpenditures', label: t('acq.restrictExpenditures'), kind: 'flag' },
      description,
    ],
    funds: [
      name,
      code,
      {
        name: 'ledgerId',
        label: t('acq.ledger'),
        kind: 'choice',
        needed: true,
        choices: named(known.ledgers),
      },
      status('fundStatus', FUND),
      {
        name: 'fundTypeId',
        label: t('acq.fundType'),
        kind: 'choice',
        choices: named(known.types),
      },
      { name: 'externalAccountNo', label: t('acq.externalAccount'), kind: 'text' },
      description,
      {
        name: 'groupIds',
        label: t('acq.list.groups'),
        kind: 'ids',
        choices: named(known.groups),
      },
      {
        name: 'allocatedFromIds',
        label: t('fin.getsFrom'),
        kind: 'ids',
        choices: named(known.funds),
      },
      { name: 'allocatedToIds', label: t('fin.givesTo'), kind: 'ids', choices: named(known.funds) },
      { name: 'restrictByLocations', label: t('fin.restrictByLocations'), kind: 'flag' },
      {
        name: 'locations',
        label: t('acq.locations'),
        kind: 'rows',
        fields: [
          {
            name: 'locationId',
            label: t('acq.location'),
            kind: 'list',
            list: 'locations',
            needed: true,
          },
        ],
      },
      known.tags,
    ],
    groups: [name, code, status('status', FUND), description],
    budgets: [
      {
        name: 'fundId',
        label: t('acq.fund'),
        kind: 'choice',
        needed: true,
        choices: named(known.funds),
      },
      {
        name: 'fiscalYearId',
        label: t('acq.fiscalYear'),
        kind: 'choice',
        needed: true,
        choices: named(known.years),
      },
      { ...name, needed: isStored, label: isStored ? t('acq.name') : t('acq.nameOrMade') },
      status('budgetStatus', BUDGET),
      // Later changes of it are transactions.
      ...(isStored
        ? []
        : [{ name: 'allocated', label: t('acq.sum.initialAllocation'), kind: 'number' as const }]),
      {
        name: 'allowableEncumbrance',
        label: t('acq.allowableEncumbrance'),
        kind: 'number',
      },
      {
        name: 'allowableExpenditure',
        label: t('acq.allowableExpenditure'),
        kind: 'number',
      },
      {
        name: 'statusExpenseClasses',
        label: t('acq.expenseClasses'),
        kind: 'rows',
        fields: [
          {
            name: 'expenseClassId',
            label: t('acq.expenseClass'),
            kind: 'choice',
            needed: true,
            choices: named(known.classes),
          },
          {
            name: 'status',
            label: t('acq.status'),
            kind: 'choice',
            choices: known.choices(['Active', 'Inactive']),
          },
        ],
      },
    ],
  }
  // What a budget belongs to does not change.
  const own =
    kind === 'budgets' && isStored
      ? fields.budgets.filter((one) => !['fundId', 'fiscalYearId'].includes(one.name))
      : fields[kind]
  return [{ title: t('acq.summary'), fields: own }]
}
