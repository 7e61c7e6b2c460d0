// The columns of the lists of finance.
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useMoney } from '#/acquisitions/money'
import { quiet } from '#/acquisitions/quiet'
import { StateOf } from '#/acquisitions/StateOf'
import type { Budget, FiscalYear, Fund, Group, Ledger } from '#/acquisitions/types'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Code } from '#/ui/Code'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'

const SUMS = ['totalFunding', 'encumbered', 'awaitingPayment', 'expenditures', 'available'] as const

export function useFinanceColumns() {
  const t = useText()
  const money = useMoney()
  const formats = useFormats()
  return useMemo(() => {
    const name = (kind: 'budgets' | 'funds' | 'groups' | 'ledgers') => ({
      id: 'name',
      title: t('acq.name'),
      kind: 'main' as const,
      sort: 'name',
      cell: (one: { id: string; name: string }) => (
        <Link
          className={table.title}
          to="/finance/$kind/$id"
          params={{ kind, id: one.id }}
          tabIndex={-1}
        >
          <bdi>{one.name}</bdi>
        </Link>
      ),
    })
    const code = {
      id: 'code',
      title: t('acq.codeOf'),
      width: 9,
      sort: 'code',
      cell: (one: { code: string }) => <Code plain>{one.code}</Code>,
    }
    const status = <T,>(of: (one: T) => string): Column<T> => ({
      id: 'status',
      title: t('acq.status'),
      width: 7,
      sort: 'status',
      cell: (one) => <StateOf value={of(one)} />,
    })
    const budgets: Column<Budget>[] = [
      name('budgets'),
      status((one) => one.budgetStatus),
      ...SUMS.map((sum) => ({
        id: sum,
        title: t(`acq.sum.${sum}`),
        width: 8,
        kind: 'num' as const,
        named: true,
        wide: sum !== 'available' && sum !== 'totalFunding',
        cell: (one: Budget) => {
          const text = money(one[sum] ?? 0)
          return sum === 'available' ? text : quiet(one[sum], text)
        },
      })),
    ]
    const funds: Column<Fund>[] = [
      { ...code, cell: (one) => <Code plain>{one.code}</Code> },
      name('funds'),
      status((one) => one.fundStatus),
      {
        id: 'account',
        title: t('acq.externalAccount'),
        width: 11,
        soft: true,
        wide: true,
        cell: (one) => <bdi>{one.externalAccountNo}</bdi>,
      },
    ]
    const groups: Column<Group>[] = [
      name('groups'),
      { ...code, cell: (one) => <Code plain>{one.code}</Code> },
      status((one) => one.status),
      {
        id: 'description',
        title: t('acq.description'),
        width: 16,
        soft: true,
        wide: true,
        cell: (one) => <bdi>{one.description}</bdi>,
      },
    ]
    const ledgers: Column<Ledger>[] = [
      name('ledgers'),
      { ...code, cell: (one) => <Code plain>{one.code}</Code> },
      status((one) => one.ledgerStatus),
    ]
    const years: Column<FiscalYear>[] = [
      {
        id: 'name',
        title: t('acq.name'),
        kind: 'main',
        sort: 'name',
        cell: (one) => (
          <Link
            className={table.title}
            to="/finance/$kind/$id/edit"
            params={{ kind: 'years', id: one.id }}
            tabIndex={-1}
          >
            <bdi>{one.name}</bdi>
          </Link>
        ),
      },
      { ...code, cell: (one) => <Code plain>{one.code}</Code> },
      {
        id: 'from',
        title: t('acq.from'),
        width: 9,
        sort: 'from',
        cell: (one) => formats.day(one.periodStart),
      },
      { id: 'to', title: t('acq.to'), width: 9, cell: (one) => formats.day(one.periodEnd) },
      { id: 'currency', title: t('acq.currency'), width: 6, cell: (one) => one.currency },
    ]
    return { budgets, funds, groups, ledgers, years }
  }, [t, money, formats])
}
