// User name and password of an interface, on request; nothing of them stays in the cache.
import { useState } from 'react'
import { get } from '#/api/client'
import { failureOf } from '#/api/errors'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'

interface Secret {
  username?: string
  password?: string
}

export function Credentials({ id, name }: { id: string; name: string }) {
  const t = useText()
  const { reason } = useNeeds('organizations-storage.interfaces.credentials.item.get')
  const act = useAct()
  const [secret, setSecret] = useState<Secret | 'none'>()
  const show = () =>
    act.run(async () => {
      try {
        setSecret(await get<Secret>(`/organizations-storage/interfaces/${id}/credentials`))
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind !== 'fault' || failure.status !== 404) throw error
        setSecret('none')
      }
    })
  if (secret === 'none') return <span className="sm muted">{t('acq.noCredentials')}</span>
  if (secret)
    return (
      <span className="row wrap">
        <Code plain>{[secret.username, secret.password].filter(Boolean).join(' / ')}</Code>
        <Button small kind="quiet" icon="x" onPress={() => setSecret(undefined)}>
          {t('acq.hide')}
        </Button>
      </span>
    )
  return (
    <span className="row wrap">
      <Button
        small
        kind="quiet"
        icon={reason ? 'lock' : 'eye'}
        busy={act.busy}
        disabled={reason}
        aria-label={t('acq.showOf', { name })}
        onPress={() => void show()}
      >
        {t('acq.show')}
      </Button>
      {act.failure ? (
        <span className="sm blocked" role="alert">
          {t(`shell.failure.${act.failure.kind}`)}
        </span>
      ) : null}
    </span>
  )
}
