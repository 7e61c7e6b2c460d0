// A new user.
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { post } from '#/api/client'
import { type Failure, failureOf } from '#/api/errors'
import { queryClient } from '#/api/query'
import type { Faults } from '#/forms/useForm'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import type { Patron } from '#/patrons/types'
import { Head, page } from '#/ui/Page'
import { faultsOf } from '../edit/faults'
import { formQueries } from '../edit/lists'
import { UserForm } from '../edit/UserForm'

export async function loader() {
  await Promise.all([loadTexts('lists', 'forms', 'users'), ...formQueries()])
}

const EMPTY: Patron = {
  id: '',
  active: true,
  type: 'patron',
  personal: { lastName: '', preferredContactTypeId: '002' },
}

export function NewUserPage() {
  const t = useText()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<Failure>()
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const saved = useRef(false)
  // One id for all tries: a repeated request cannot make two people.
  const [record] = useState<Patron>(() => ({ ...EMPTY, id: crypto.randomUUID() }))
  const save = async (user: Patron) => {
    setBusy(true)
    setFailure(undefined)
    setFaults({})
    try {
      await post('/users', user)
      saved.current = true
      await queryClient.invalidateQueries({ queryKey: ['users'] })
      await navigate({ to: '/users/$userId', params: { userId: user.id } })
    } catch (error) {
      const found = failureOf(error)
      const byField = faultsOf(found, t)
      setFaults(byField)
      setFailure(Object.keys(byField).length ? undefined : found)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Head title={t('users.newTitle')} />
      <div className={page.pane}>
        <div className={page.body}>
          <UserForm
            record={record}
            pristine={record}
            busy={busy}
            failure={failure}
            faults={faults}
            isSaved={() => saved.current}
            onSave={(user) => void save(user)}
            onClose={() => void navigate({ to: '/users', search: {} })}
          />
        </div>
      </div>
    </>
  )
}
