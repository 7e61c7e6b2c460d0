// The hold shelf of this desk: items whose requests are over, to be taken from it and checked in.
import { queryOptions } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { get } from '#/api/client'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { deskChoice, useDesk } from '#/lib/desk'
import { useFormats } from '#/lib/format'
import { shelfCode } from '#/lib/names'
import { RequestState } from '#/requests/RequestState'
import type { Request } from '#/requests/types'
import { useRequestTable } from '#/requests/useRequestTable'
import { Code } from '#/ui/Code'
import { CsvSave } from '#/ui/CsvSave'
import { Empty } from '#/ui/Empty'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { type Column, rowsOf, Table } from '#/ui/Table'
import { useCsv } from '#/ui/useCsv'

const clearanceQuery = (deskId: string) =>
  queryOptions({
    queryKey: ['requests', 'clearance', deskId],
    queryFn: async ({ signal }) =>
      (
        await get<{ requests: Request[] }>(
          `/circulation/requests-reports/hold-shelf-clearance/${deskId}`,
          undefined,
          signal,
        )
      ).requests,
    staleTime: 0,
  })

export async function loader() {
  await Promise.all([
    loadTexts('lists', 'forms', 'request'),
    queryClient.ensureQueryData(clearanceQuery(deskChoice.read().desk?.id ?? '')),
  ])
}

export function ShelfPage() {
  const t = useText()
  const formats = useFormats()
  const desk = useDesk()
  const requests = useLoaded(clearanceQuery(desk?.id ?? ''))
  // The report is answered whole.
  const csv = useCsv({
    name: 'hold-shelf-clearance',
    load: async () => ({ rows: requests, total: requests.length }),
    ...useRequestTable(),
  })
  const columns: Column<Request>[] = [
    {
      id: 'code',
      title: t('request.shelfCode'),
      width: 9,
      cell: ({ requester }) => (
        <Code plain>{shelfCode(requester?.lastName ?? '', requester?.barcode ?? '')}</Code>
      ),
    },
    {
      id: 'title',
      title: t('request.titleOf'),
      kind: 'main',
      cell: (one) => (
        <Link to="/requests/$requestId" params={{ requestId: one.id }} className="plain medium">
          <bdi>{one.instance?.title}</bdi>
        </Link>
      ),
    },
    {
      id: 'barcode',
      title: t('request.itemBarcode'),
      width: 11,
      cell: (one) => (one.item?.barcode ? <Code>{one.item.barcode}</Code> : null),
    },
    {
      id: 'status',
      title: t('request.statusOf'),
      width: 12,
      cell: (one) => <RequestState request={one} />,
    },
    {
      id: 'since',
      title: t('request.closedOn'),
      width: 9,
      cell: (one) => {
        const when = one.awaitingPickupRequestClosedDate
        return when ? formats.day(when) : null
      },
    },
  ]
  return (
    <>
      <RecordHead
        title={t('request.shelf')}
        path={
          <Link to="/requests" search={{}}>
            {t('request.title')}
          </Link>
        }
        sub={desk?.name}
      >
        <CsvSave csv={csv} small={false} />
      </RecordHead>
      <div className={page.pane}>
        <div className={page.body}>
          {requests.length ? (
            <Table
              label={t('request.shelf')}
              columns={columns}
              rows={rowsOf(requests)}
              keyOf={(one) => one.id}
              nameOf={(one) => one.instance?.title ?? ''}
            />
          ) : (
            <Empty
              icon="check"
              title={t('request.shelfClear')}
              text={t('request.shelfClearWhat')}
            />
          )}
        </div>
      </div>
    </>
  )
}
