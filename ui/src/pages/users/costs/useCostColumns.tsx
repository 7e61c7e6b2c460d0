// The columns of the lost items whose cost is to be found out.
import { Link } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import type { Cost } from '#/patrons/costs/costs'
import { PersonLink } from '#/patrons/PersonLink'
import { Code } from '#/ui/Code'
import { RowActs } from '#/ui/RowActs'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'

export function useCostColumns(onAct: (act: 'bill' | 'letGo', cost: Cost) => void): Column<Cost>[] {
  const t = useText()
  const formats = useFormats()
  const mayBill = useNeeds('actual-cost-fee-fine-bill.post')
  const mayLetGo = useNeeds('actual-cost-fee-fine-cancel.post')
  return [
    {
      id: 'title',
      title: t('loans.titleOf'),
      kind: 'main',
      cell: ({ instance, item }) => (
        <Link
          className={table.title}
          to="/inventory/$instanceId/items/$itemId"
          params={{ instanceId: instance.id, itemId: item.id }}
          tabIndex={-1}
        >
          <bdi>{instance.title ?? item.id}</bdi>
        </Link>
      ),
    },
    {
      id: 'barcode',
      title: t('loans.barcode'),
      width: 10,
      soft: true,
      wide: true,
      cell: ({ item }) => (item.barcode ? <Code>{item.barcode}</Code> : null),
    },
    {
      id: 'patron',
      title: t('fees.patron'),
      width: 12,
      cell: ({ user }) => <PersonLink id={user.id} person={user} fallback={user.barcode} />,
    },
    {
      id: 'loss',
      title: t('fees.loss'),
      width: 10,
      cell: (one) =>
        one.lossType === 'Declared lost'
          ? t('loans.lost')
          : one.lossType === 'Aged to lost'
            ? t('loans.agedToLost')
            : one.lossType,
    },
    {
      id: 'since',
      title: t('fees.since'),
      width: 8,
      cell: (one) => <span className="nowrap">{formats.day(one.lossDate)}</span>,
    },
    {
      id: 'until',
      title: t('fees.until'),
      width: 8,
      wide: true,
      cell: (one) =>
        one.expirationDate ? (
          <span className="nowrap">{formats.day(one.expirationDate)}</span>
        ) : null,
    },
    {
      id: 'owner',
      title: t('fees.owner'),
      width: 9,
      soft: true,
      wide: true,
      cell: ({ feeFine }) => <bdi>{feeFine.owner}</bdi>,
    },
    {
      id: 'billed',
      title: t('fees.billed'),
      width: 6,
      kind: 'num',
      named: true,
      cell: ({ feeFine }) =>
        feeFine.billedAmount === undefined ? null : formats.money(feeFine.billedAmount),
    },
    {
      id: 'menu',
      title: t('loans.actions'),
      width: 3,
      kind: 'menu',
      cell: (one) => {
        const settled = one.status === 'Open' ? undefined : t('fees.settled')
        return (
          <RowActs
            name={one.instance.title ?? one.item.barcode ?? ''}
            acts={[
              {
                id: 'bill',
                text: t('fees.bill'),
                icon: 'coins',
                disabled: mayBill.reason ?? settled,
                run: () => onAct('bill', one),
              },
              {
                id: 'letGo',
                text: t('fees.letGo'),
                icon: 'x',
                disabled: mayLetGo.reason ?? settled,
                run: () => onAct('letGo', one),
              },
            ]}
          />
        )
      },
    },
  ]
}
