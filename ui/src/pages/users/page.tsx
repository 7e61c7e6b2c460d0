// People: words, status and group narrow the list; the address keeps all of it. Enter on a row opens the record.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { queryClient, useLoaded } from '#/api/query'
import type { User } from '#/api/types'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { groupsQuery } from '#/patrons/queries'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Facets } from '#/ui/Facets'
import { Failed } from '#/ui/Failed'
import { ListFoot } from '#/ui/ListFoot'
import { Head, page } from '#/ui/Page'
import { useColumns } from '#/ui/useColumns'
import { firstWindow, useWindows } from '#/ui/useWindows'
import { VirtualTable } from '#/ui/VirtualTable'
import { QueryLine } from './QueryLine'
import { type UsersSearch, usersSource } from './source'
import { useUserColumns } from './userColumns'
import { useUserFacets } from './useUserFacets'

export async function loader({ deps }: { deps: UsersSearch }) {
  await Promise.all([
    loadTexts('lists', 'forms', 'users'),
    queryClient.ensureQueryData(groupsQuery),
    queryClient.ensureQueryData(firstWindow(usersSource(deps))),
  ])
}

const HIDDEN = ['email', 'externalId'] as const

export function UsersPage() {
  const t = useText()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/users' })
  const groups = useLoaded(groupsQuery)
  const mayAdd = useNeeds('users.item.post')
  const mayCosts = useNeeds('actual-cost-record-storage.actual-cost-records.collection.get')
  const source = useMemo(() => usersSource(search), [search])
  const users = useWindows<User>(source)
  const [range, setRange] = useState({ first: 0, last: 0 })
  const [narrow, setNarrow] = useState(false)
  const columns = useUserColumns(groups)
  const layout = useColumns('users', columns, HIDDEN)
  const change = (patch: Partial<UsersSearch>) =>
    void navigate({ to: '/users', search: { ...search, ...patch }, replace: true })
  const { facets, open, choose } = useUserFacets(search, groups, change)
  const add = () => navigate({ to: '/users/new' })
  const openUser = (user: User, newTab = false) => {
    if (newTab) window.open(`/staff/users/${user.id}`, '_blank', 'noopener')
    else void navigate({ to: '/users/$userId', params: { userId: user.id } })
  }
  useCommands([
    {
      id: 'users.new',
      title: 'users.new',
      group: 'page',
      keys: 'Alt+N',
      disabled: mayAdd.reason,
      run: () => void add(),
    },
    {
      id: 'users.reports',
      title: 'users.reports',
      group: 'page',
      keys: 'Alt+R',
      run: () => void navigate({ to: '/users/reports', search: {} }),
    },
  ])
  const sort = search.sort ?? 'name'
  return (
    <div className={cx(page.split, page.start, page.facets)}>
      <Facets facets={facets} shown={narrow} onOpen={open} onChoose={choose} />
      <div className={page.col}>
        <Head title={t('users.title')}>
          <Button
            icon="list"
            wideOnly
            keys="Alt+R"
            onPress={() => void navigate({ to: '/users/reports', search: {} })}
          >
            {t('users.reports')}
          </Button>
          <Button
            icon="coins"
            wideOnly
            disabled={mayCosts.reason}
            onPress={() => void navigate({ to: '/users/actual-costs', search: {} })}
          >
            {t('users.actualCosts')}
          </Button>
          <Button
            kind="primary"
            icon="plus"
            keys="Alt+N"
            disabled={mayAdd.reason}
            onPress={() => void add()}
          >
            {t('users.new')}
          </Button>
        </Head>
        <QueryLine
          search={search}
          found={users.found}
          groups={groups}
          layout={layout}
          narrow={narrow}
          onNarrow={setNarrow}
          onChange={change}
        />
        {users.error && !users.total ? (
          <div className={page.body}>
            <Failed error={users.error} retry={users.retry} />
          </div>
        ) : null}
        {users.total === 0 && !users.isLoading ? (
          <Empty
            icon="users"
            title={search.q ? t('users.nobodyFor', { words: search.q }) : t('users.nobody')}
            text={t('users.nobodyWhat')}
          />
        ) : (
          <VirtualTable
            label={t('users.title')}
            listKey={JSON.stringify(search)}
            columns={layout.shown}
            rows={users}
            keyOf={(user) => user.id}
            nameOf={(user) => user.personal?.lastName ?? user.username ?? ''}
            sort={{ by: sort.replace(/^-/, ''), descending: sort.startsWith('-') }}
            onSort={({ by, descending }) => change({ sort: descending ? `-${by}` : by })}
            onOpen={openUser}
            onRange={(first, last) => {
              users.onRange(first, last)
              setRange({ first, last })
            }}
          />
        )}
        <ListFoot
          first={range.first}
          last={Math.min(range.last, users.total - 1)}
          total={users.found}
          error={users.error}
          retry={users.retry}
        />
      </div>
    </div>
  )
}
