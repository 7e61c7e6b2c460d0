// The requests of the library: open ones at first; type, status, level and pickup narrow the list.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { servicePointsQuery } from '#/api/desks'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import type { Request } from '#/requests/types'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Facets } from '#/ui/Facets'
import { Failed } from '#/ui/Failed'
import { ListFoot } from '#/ui/ListFoot'
import { Head, page } from '#/ui/Page'
import { firstWindow, useWindows } from '#/ui/useWindows'
import { VirtualTable } from '#/ui/VirtualTable'
import { ListActs } from './ListActs'
import { RequestLine } from './RequestLine'
import { useRequestColumns } from './requestColumns'
import { type RequestsSearch, requestsSource } from './source'
import { useRequestFacets } from './useRequestFacets'

export async function loader({ deps }: { deps: RequestsSearch }) {
  await Promise.all([
    loadTexts('lists', 'forms', 'request'),
    queryClient.ensureQueryData(firstWindow(requestsSource(deps))),
  ])
}

export function RequestsPage() {
  const t = useText()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/requests' })
  const mayAdd = useNeeds('circulation.requests.item.post')
  const { data: points } = useQuery(servicePointsQuery)
  const source = useMemo(() => requestsSource(search), [search])
  const requests = useWindows<Request>(source)
  const [range, setRange] = useState({ first: 0, last: 0 })
  const [narrow, setNarrow] = useState(false)
  const columns = useRequestColumns()
  const change = (patch: Partial<RequestsSearch>) =>
    void navigate({ to: '/requests', search: { ...search, ...patch }, replace: true })
  const { facets, open, choose } = useRequestFacets(search, points ?? [], change)
  const add = () => void navigate({ to: '/requests/new', search: {} })
  useCommands([
    {
      id: 'requests.new',
      title: 'request.new',
      group: 'page',
      keys: 'Alt+N',
      disabled: mayAdd.reason,
      run: add,
    },
  ])
  const sort = search.sort ?? 'date'
  return (
    <div className={cx(page.split, page.start, page.facets)}>
      <Facets facets={facets} shown={narrow} onOpen={open} onChoose={choose} />
      <div className={page.col}>
        <Head title={t('request.title')}>
          <ListActs search={search} />
          <Button kind="primary" icon="plus" keys="Alt+N" disabled={mayAdd.reason} onPress={add}>
            {t('request.new')}
          </Button>
        </Head>
        <RequestLine
          search={search}
          found={requests.found}
          narrow={narrow}
          onNarrow={setNarrow}
          onChange={change}
        />
        {requests.error && !requests.total ? (
          <div className={page.body}>
            <Failed error={requests.error} retry={requests.retry} />
          </div>
        ) : null}
        {requests.total === 0 && !requests.isLoading ? (
          <Empty icon="inbox" title={t('request.none')} text={t('request.noneWhat')} />
        ) : (
          <VirtualTable
            label={t('request.title')}
            listKey={JSON.stringify(search)}
            columns={columns}
            rows={requests}
            keyOf={(one) => one.id}
            nameOf={(one) => one.instance?.title ?? ''}
            sort={{ by: sort.replace(/^-/, ''), descending: sort.startsWith('-') }}
            onSort={({ by, descending }) => change({ sort: descending ? `-${by}` : by })}
            onOpen={(one) =>
              void navigate({ to: '/requests/$requestId', params: { requestId: one.id } })
            }
            onRange={(first, last) => {
              requests.onRange(first, last)
              setRange({ first, last })
            }}
          />
        )}
        <ListFoot
          first={range.first}
          last={Math.min(range.last, requests.total - 1)}
          total={requests.found}
          error={requests.error}
          retry={requests.retry}
        />
      </div>
    </div>
  )
}
