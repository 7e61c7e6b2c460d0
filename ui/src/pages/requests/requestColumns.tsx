// The columns of the list of requests.
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { RequestState } from '#/requests/RequestState'
import type { Request } from '#/requests/types'
import { kindId } from '#/requests/words'
import { Code } from '#/ui/Code'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'

export function useRequestColumns(): Column<Request>[] {
  const t = useText()
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'title',
        title: t('request.titleOf'),
        kind: 'main',
        sort: 'title',
        cell: (one) => (
          <>
            <Link
              className={table.title}
              to="/requests/$requestId"
              params={{ requestId: one.id }}
              tabIndex={-1}
            >
              <bdi>{one.instance?.title ?? one.id}</bdi>
            </Link>
            {one.item?.barcode ? (
              <span className="sm soft">
                <Code>{one.item.barcode}</Code>
              </span>
            ) : null}
          </>
        ),
      },
      {
        id: 'status',
        title: t('request.statusOf'),
        width: 14,
        sort: 'status',
        cell: (one) => <RequestState request={one} />,
      },
      {
        id: 'requester',
        title: t('request.requester'),
        width: 10,
        cell: (one) => <bdi>{fullName(one.requester ?? {})}</bdi>,
      },
      {
        id: 'kind',
        title: t('request.kindOf'),
        width: 5,
        sort: 'kind',
        cell: (one) => t(kindId(one.requestType)),
      },
      {
        id: 'pickup',
        title: t('request.pickup'),
        width: 8,
        soft: true,
        wide: true,
        cell: (one) => <bdi>{one.pickupServicePoint?.name}</bdi>,
      },
      {
        id: 'date',
        title: t('request.date'),
        width: 7,
        sort: 'date',
        cell: (one) => <span className="nowrap">{formats.day(one.requestDate)}</span>,
      },
      {
        id: 'place',
        title: t('request.place'),
        width: 4.5,
        kind: 'num',
        named: true,
        sort: 'place',
        cell: (one) => (one.position ? formats.number(one.position) : null),
      },
    ],
    [t, formats],
  )
}
