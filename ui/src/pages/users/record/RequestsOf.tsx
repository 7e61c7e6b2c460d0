// The requests of the user, open ones first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { get } from '#/api/client'
import { equals } from '#/api/cql'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { RequestState } from '#/requests/RequestState'
import type { Request } from '#/requests/types'
import { kindId } from '#/requests/words'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

const PAGE = 100

export function RequestsOf({ userId }: { userId: string }) {
  const t = useText()
  const formats = useFormats()
  const navigate = useNavigate()
  const mayAdd = useNeeds('circulation.requests.item.post')
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['patrons', userId, 'requests'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      get<{ requests: Request[]; totalRecords: number }>(
        '/circulation/requests',
        {
          query: `${equals('requesterId', userId)} sortby status/sort.descending requestDate/sort.descending`,
          limit: PAGE,
          offset: pageParam,
        },
        signal,
      ),
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, page) => sum + page.requests.length, 0)
      return last.requests.length && shown < last.totalRecords ? shown : undefined
    },
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return null
  const requests = data.pages.flatMap((page) => page.requests)
  const open = (id: string) =>
    void navigate({ to: '/requests/$requestId', params: { requestId: id } })
  const columns: Column<Request>[] = [
    {
      id: 'title',
      title: t('users.titleOf'),
      kind: 'main',
      cell: (one) => <bdi className="medium">{one.instance?.title}</bdi>,
    },
    { id: 'kind', title: t('users.kind'), width: 7, cell: (one) => t(kindId(one.requestType)) },
    {
      id: 'status',
      title: t('users.status'),
      width: 16,
      cell: (one) => <RequestState request={one} />,
    },
    {
      id: 'pickup',
      title: t('users.pickup'),
      width: 10,
      soft: true,
      cell: (one) => one.pickupServicePoint?.name,
    },
    {
      id: 'date',
      title: t('users.requested'),
      width: 9,
      cell: (one) => formats.day(one.requestDate),
    },
    {
      id: 'place',
      title: t('users.place'),
      width: 5,
      kind: 'num',
      named: true,
      cell: (one) => (one.position ? formats.number(one.position) : null),
    },
  ]
  return (
    <section className="stack" aria-label={t('users.requests')}>
      <div className="row">
        <Button
          small
          icon="plus"
          disabled={mayAdd.reason}
          onPress={() => void navigate({ to: '/requests/new', search: { requester: userId } })}
        >
          {t('users.newRequest')}
        </Button>
      </div>
      {requests.length === 0 ? (
        <Empty icon="inbox" title={t('users.noRequests')} text={t('users.noRequestsWhat')} />
      ) : (
        <div className={table.scroll}>
          <Table
            label={t('users.requests')}
            columns={columns}
            rows={rowsOf(requests)}
            keyOf={(one) => one.id}
            nameOf={(one) => one.instance?.title ?? ''}
            onOpen={(one) => open(one.id)}
          />
        </div>
      )}
      {hasNextPage ? (
        <div className="row">
          <Button small onPress={() => void fetchNextPage()}>
            {t('loans.next')}
          </Button>
        </div>
      ) : null}
    </section>
  )
}
