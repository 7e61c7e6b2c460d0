// Deletes a user, unless something is open: then it is told what.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { get, remove } from '#/api/client'
import { failureOf } from '#/api/errors'
import { queryClient } from '#/api/query'
import { announce } from '#/app/live'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { fullName } from '#/lib/names'
import type { Patron } from '#/patrons/types'
import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'
import { Note } from '#/ui/Note'

interface Open {
  hasOpenTransactions: boolean
  loans: number
  requests: number
  feesFines: number
  proxies: number
  blocks: number
}

export function DeleteUser({ user, onClose }: { user: Patron; onClose: () => void }) {
  const t = useText()
  const navigate = useNavigate()
  const act = useAct()
  // The dialog closes when its act begins; the question is over only when that has ended.
  const going = useRef(false)
  const name = fullName(user.personal) || user.username || user.id
  const { data, error, refetch } = useQuery({
    queryKey: ['patrons', user.id, 'open-transactions'],
    queryFn: ({ signal }) =>
      get<Open>(`/bl-users/by-id/${user.id}/open-transactions`, undefined, signal),
    staleTime: 0,
    gcTime: 0,
  })
  const drop = async () => {
    going.current = true
    const done = await act.run(() => remove(`/bl-users/by-id/${user.id}`))
    going.current = false
    // Something was opened meanwhile: it is told like what was open before.
    if (!done) return void refetch()
    announce(t('users.deleted', { name }))
    await navigate({ to: '/users', search: {} })
    queryClient.removeQueries({ queryKey: ['patrons', user.id] })
    await queryClient.invalidateQueries({ queryKey: ['users'] })
  }
  if (error) return <NotDone failure={failureOf(error)} />
  if (!data) return null
  if (data.hasOpenTransactions) {
    const { loans, requests, feesFines: fees, blocks, proxies } = data
    return (
      <Note kind="blocked" alert>
        <p>
          <strong>{t('users.notDeleted')}</strong>{' '}
          {t('users.stillOpen', { loans, requests, fees, blocks, proxies })}
        </p>
        <div className="row">
          <Button small kind="quiet" onPress={onClose}>
            {t('shell.close')}
          </Button>
        </div>
      </Note>
    )
  }
  return (
    <>
      <NotDone failure={act.failure} />
      <Dialog
        title={t('users.askDelete', { name })}
        open={!act.busy && !act.failure}
        onClose={() => {
          if (!going.current) onClose()
        }}
        closeText={t('users.keepUser')}
        act={{ text: t('users.doDelete', { name }), danger: true, run: () => void drop() }}
      >
        <p>{t('users.deleteWhat')}</p>
      </Dialog>
    </>
  )
}
