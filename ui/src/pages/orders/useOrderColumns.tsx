// The columns of the list of orders. Vendors are named for the rows in view.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useOrganizationNames } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import type { Order } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import type { Windows } from '#/ui/useWindows'

export function useOrderColumns(): (rows: Windows<Order>) => Column<Order>[] {
  const t = useText()
  const word = useWord()
  const formats = useFormats()
  const [vendors, setVendors] = useState<readonly string[]>([])
  const nameOf = useOrganizationNames(vendors)
  return (rows) => {
    const seen = [
      ...new Set(rows.inView.flatMap((one) => one.rows.map(({ vendor }) => vendor))),
    ].sort()
    if (seen.join() !== vendors.join()) setTimeout(() => setVendors(seen))
    return [
      {
        id: 'number',
        title: t('acq.poNumber'),
        kind: 'main',
        sort: 'number',
        cell: ({ id, poNumber }) => (
          <Link className={table.title} to="/orders/$id" params={{ id }} tabIndex={-1}>
            <bdi>{poNumber}</bdi>
          </Link>
        ),
      },
      {
        id: 'vendor',
        title: t('acq.vendor'),
        width: 14,
        cell: ({ vendor }) => <bdi>{nameOf(vendor)}</bdi>,
      },
      {
        id: 'status',
        title: t('acq.status'),
        width: 8,
        sort: 'status',
        cell: ({ workflowStatus }) => <StateOf value={workflowStatus} />,
      },
      {
        id: 'type',
        title: t('acq.orderType'),
        width: 7,
        cell: ({ orderType }) => word(orderType),
      },
      {
        id: 'ordered',
        title: t('acq.ordered'),
        width: 9,
        sort: 'ordered',
        wide: true,
        cell: ({ dateOrdered }) => (dateOrdered ? formats.day(dateOrdered) : null),
      },
      {
        id: 'date',
        title: t('acq.created'),
        width: 9,
        sort: 'date',
        wide: true,
        cell: ({ metadata }) => (metadata?.createdDate ? formats.day(metadata.createdDate) : null),
      },
    ]
  }
}
