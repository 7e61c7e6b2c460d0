// A user is changed. The record is read again before it is written: what somebody else saved meanwhile is shown side by
// side with what was typed, field by field. FOLIO's users carry no version of their own.
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { get, put } from '#/api/client'
import { type Failure, failureOf } from '#/api/errors'
import { queryClient, useLoaded } from '#/api/query'
import { Conflict } from '#/forms/Conflict'
import { same } from '#/forms/differences'
import type { Faults } from '#/forms/useForm'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { fullName } from '#/lib/names'
import { patronQuery } from '#/patrons/queries'
import type { Patron } from '#/patrons/types'
import { Head, page } from '#/ui/Page'
import { faultsOf } from './faults'
import { formQueries } from './lists'
import { UserForm } from './UserForm'
import { useShown } from './useShown'

export async function loader({ params }: { params: { userId: string } }) {
  await Promise.all([
    loadTexts('lists', 'forms', 'users'),
    // Always the newest: it is what the changes are compared with.
    queryClient.fetchQuery({ ...patronQuery(params.userId), staleTime: 0 }),
    ...formQueries(),
  ])
}

export function EditUserPage() {
  const t = useText()
  const navigate = useNavigate()
  const { userId } = useParams({ from: '/shell/users/$userId/edit' })
  const loaded = useLoaded(patronQuery(userId))
  // What the form began with; a later reading of the record must not change it under the person's hands.
  const [base, setBase] = useState(loaded)
  const [mine, setMine] = useState<Patron>()
  const [theirs, setTheirs] = useState<Patron>()
  const [failure, setFailure] = useState<Failure>()
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const saved = useRef(false)
  const shown = useShown()
  const save = async (record: Patron, against: Patron) => {
    setBusy(true)
    setFailure(undefined)
    setFaults({})
    try {
      const now = await get<Patron>(`/users/${userId}`)
      if (!same(now, against)) {
        setMine(record)
        setTheirs(now)
        return
      }
      await put(`/users/${userId}`, record)
      saved.current = true
      await queryClient.invalidateQueries({ queryKey: ['patrons', userId] })
      await navigate({ to: '/users/$userId', params: { userId }, search: { tab: 'details' } })
    } catch (error) {
      const found = failureOf(error)
      const byField = faultsOf(found, t)
      setFaults(byField)
      setFailure(Object.keys(byField).length ? undefined : found)
    } finally {
      setBusy(false)
    }
  }
  const resolved = async (record: Patron) => {
    if (!theirs) return
    const against = theirs
    setBase(theirs)
    setMine(record)
    setTheirs(undefined)
    await save(record, against)
  }
  return (
    <>
      <Head
        title={t('users.editTitle', { name: fullName(base.personal) || (base.username ?? '') })}
      />
      <div className={page.pane}>
        <div className={page.body}>
          {mine && theirs ? (
            <Conflict
              base={base}
              mine={mine}
              theirs={theirs}
              at={theirs.metadata?.updatedDate}
              label={shown.label}
              show={shown.show}
              onResolved={(record) => void resolved(record)}
            />
          ) : (
            <UserForm
              key={base.metadata?.updatedDate}
              record={mine ?? base}
              pristine={base}
              busy={busy}
              failure={failure}
              faults={faults}
              isSaved={() => saved.current}
              onSave={(record) => void save(record, base)}
              onClose={() => void navigate({ to: '/users/$userId', params: { userId } })}
            />
          )}
        </div>
      </div>
    </>
  )
}
