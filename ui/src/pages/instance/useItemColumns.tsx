// The columns of a holdings' items.
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Item, Loan } from '#/api/types'
import { useText } from '#/i18n/text'
import { StatusState } from '#/inventory/StatusState'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { Code } from '#/ui/Code'
import type { Column } from '#/ui/Table'
import { ItemMenu } from './ItemMenu'

export interface ItemRow {
  item: Item & {
    copyNumber?: string
    displaySummary?: string
    enumeration?: string
    volume?: string
  }
  loan: Loan | undefined
  requests: number
}

export function useItemColumns(instanceId: string): Column<ItemRow>[] {
  const t = useText()
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'barcode',
        title: t('inventory.barcode'),
        width: 10,
        kind: 'main',
        cell: ({ item }) => (
          <Link
            to="/inventory/$instanceId/items/$itemId"
            params={{ instanceId, itemId: item.id }}
            tabIndex={-1}
          >
            {item.barcode ? <Code>{item.barcode}</Code> : t('inventory.noBarcode')}
          </Link>
        ),
      },
      {
        id: 'status',
        title: t('inventory.facet.statusId'),
        width: 10,
        cell: ({ item }) => <StatusState status={item.status.name} />,
      },
      {
        id: 'copy',
        title: t('inventory.copy'),
        width: 5,
        named: true,
        cell: ({ item }) => (
          <bdi>{[item.copyNumber, item.volume, item.enumeration].filter(Boolean).join(' · ')}</bdi>
        ),
      },
      {
        id: 'loanType',
        title: t('inventory.loanType'),
        width: 7.5,
        soft: true,
        cell: ({ item }) => item.permanentLoanType?.name,
      },
      {
        id: 'due',
        title: t('inventory.dueOrPlace'),
        cell: ({ item, loan }) =>
          loan ? (
            <>
              {formats.day(loan.dueDate)}{' '}
              <bdi className="muted">· {fullName(loan.borrower ?? {})}</bdi>
            </>
          ) : (
            <bdi className="muted">{item.effectiveLocation?.name}</bdi>
          ),
      },
      {
        id: 'requests',
        title: t('inventory.tab.requests'),
        width: 5.5,
        kind: 'num',
        named: true,
        cell: ({ requests }) =>
          requests ? formats.number(requests) : <span className="muted">0</span>,
      },
      {
        id: 'menu',
        title: t('inventory.actions'),
        width: 3.25,
        kind: 'menu',
        cell: ({ item }) => <ItemMenu instanceId={instanceId} item={item} />,
      },
    ],
    [formats, instanceId, t],
  )
}
