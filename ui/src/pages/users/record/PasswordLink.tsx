// A link by which the user sets a password: the server mails it, and it stands here to be handed over.
import { useState } from 'react'
import { post } from '#/api/client'
import { ownLink } from '#/api/passwordLink'
import { announce } from '#/app/live'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import type { Patron } from '#/patrons/types'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Note } from '#/ui/Note'
import { TextField } from '#/ui/TextField'

export function PasswordLink({ user, onClose }: { user: Patron; onClose: () => void }) {
  const t = useText()
  const act = useAct()
  const [link, setLink] = useState<string>()
  const [copied, setCopied] = useState(false)
  const { email } = user.personal
  const goes = email ? t('users.linkTo', { email }) : t('users.linkNoMail')
  const make = async () => {
    await act.run(async () => {
      const made = await post<{ link: string }>('/bl-users/password-reset/link', {
        userId: user.id,
      })
      setLink(made.link)
      announce(t('users.linkMade'))
    })
  }
  if (!link) {
    return (
      <ConfirmCard
        title={t('users.askLink')}
        text={goes}
        act={t('users.doLink')}
        busy={act.busy}
        onAct={() => void make()}
        onClose={onClose}
      >
        <NotDone failure={act.failure} />
      </ConfirmCard>
    )
  }
  const own = ownLink(link)
  const copy = async () => {
    await navigator.clipboard.writeText(own)
    setCopied(true)
    announce(t('users.copied'))
  }
  return (
    <Note kind="ok">
      <p>
        <strong>{t('users.linkMade')}</strong> {goes}
      </p>
      <TextField label={t('users.link')} value={own} isReadOnly />
      {email && !link.startsWith(location.origin) ? (
        <p className="sm soft">
          {t('users.linkMailed', { address: link.slice(0, link.lastIndexOf('/')) })}
        </p>
      ) : null}
      <div className="row wrap">
        <Button small icon={copied ? 'check' : 'copy'} onPress={() => void copy()}>
          {copied ? t('users.copied') : t('users.copyLink')}
        </Button>
        <Button small kind="quiet" onPress={onClose}>
          {t('shell.close')}
        </Button>
      </div>
    </Note>
  )
}
