// A user: who it is, and in tabs what is lent, owed, requested and known. The tab stands in the URL.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { blocksQuery, figuresQuery, groupsQuery, notesQuery, patronQuery } from '#/patrons/queries'
import { page } from '#/ui/Page'
import { Tabs } from '#/ui/Tabs'
import { BlockNote } from './BlockNote'
import { Blocks } from './Blocks'
import { DeleteUser } from './DeleteUser'
import { Details } from './Details'
import { Fees } from './Fees'
import { Loans } from './Loans'
import { Notes } from './Notes'
import { PasswordLink } from './PasswordLink'
import { Permissions } from './Permissions'
import { PopUps } from './PopUps'
import { RecordHead } from './RecordHead'
import { RequestsOf } from './RequestsOf'
import styles from './record.module.css'
import type { UserTask } from './UserMenu'

export async function loader({ params }: { params: { userId: string } }) {
  await Promise.all([
    loadTexts('lists', 'forms', 'users', 'loans', 'fees', 'request'),
    queryClient.ensureQueryData(patronQuery(params.userId)),
    queryClient.ensureQueryData(groupsQuery),
  ])
}

export function UserPage() {
  const t = useText()
  const formats = useFormats()
  const navigate = useNavigate()
  const { userId } = useParams({ from: '/shell/users/$userId' })
  const { tab = 'loans' } = useSearch({ from: '/shell/users/$userId' })
  const user = useLoaded(patronQuery(userId))
  const groups = useLoaded(groupsQuery)
  const { data: figures } = useQuery(figuresQuery(userId))
  const { data: blocks } = useQuery(blocksQuery(userId))
  const { data: notes } = useQuery(notesQuery(userId))
  const { reason } = useNeeds('users.item.put')
  const [task, setTask] = useState<UserTask>()
  const group = groups.find((one) => one.id === user.patronGroup)?.group
  const edit = () => navigate({ to: '/users/$userId/edit', params: { userId } })
  const lend = () => navigate({ to: '/check-out', search: { patron: user.barcode ?? userId } })
  useCommands([
    {
      id: 'users.edit',
      title: 'users.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: reason,
      run: edit,
    },
    { id: 'users.lend', title: 'users.lend', group: 'page', keys: 'Alt+O', run: lend },
  ])
  const loansAndFees =
    [
      figures?.loans === undefined ? '' : formats.number(figures.loans),
      figures?.owed ? formats.money(figures.owed) : '',
    ]
      .filter(Boolean)
      .join(' · ') || undefined
  const count = (value: number | undefined) => (value ? formats.number(value) : undefined)
  return (
    <>
      <RecordHead user={user} group={group} onEdit={edit} onLend={lend} onTask={setTask} />
      <Tabs
        label={t('users.parts')}
        current={tab}
        linkOf={(id) => ({
          to: '/users/$userId',
          params: { userId },
          search: { tab: id === 'loans' ? undefined : id } as never,
        })}
        tabs={[
          { id: 'loans', title: t('users.loansAndFees'), count: loansAndFees },
          { id: 'requests', title: t('users.requests'), count: count(figures?.requests) },
          { id: 'details', title: t('users.details') },
          {
            id: 'blocks',
            title: t('users.blocks'),
            count: count(blocks && blocks.manual.length + blocks.automated.length),
          },
          { id: 'notes', title: t('users.notes'), count: count(notes?.length) },
          { id: 'permissions', title: t('users.permissions') },
        ]}
      />
      <div className={`${page.pane} ${styles.pane}`}>
        <div className={`${page.body} stack far`}>
          {task === 'link' ? <PasswordLink user={user} onClose={() => setTask(undefined)} /> : null}
          {task === 'delete' ? <DeleteUser user={user} onClose={() => setTask(undefined)} /> : null}
          <BlockNote blocks={blocks} />
          <PopUps notes={notes} />
          {tab === 'loans' ? (
            <>
              <Loans user={user} />
              <Fees user={user} />
            </>
          ) : null}
          {tab === 'requests' ? <RequestsOf userId={userId} /> : null}
          {tab === 'details' ? (
            <Details user={user} group={group} title={t('users.details')} />
          ) : null}
          {tab === 'blocks' ? <Blocks userId={userId} /> : null}
          {tab === 'notes' ? <Notes userId={userId} /> : null}
          {tab === 'permissions' ? <Permissions userId={userId} /> : null}
        </div>
      </div>
    </>
  )
}
