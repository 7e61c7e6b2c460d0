// The new password, typed twice.
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { setPassword } from '#/api/passwordLink'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import card from '#/ui/Card.module.css'
import { Note } from '#/ui/Note'
import { TextField } from '#/ui/TextField'
import { faultText } from './faultText'

export function PasswordForm({ link }: { link: { token: string; tenant: string } }) {
  const t = useText()
  const act = useAct()
  const [password, setTyped] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const [done, setDone] = useState(false)
  const differs = password !== again
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!password || differs) return
    setDone(await act.run(() => setPassword(link, password)))
  }
  if (done) {
    return (
      <>
        <h1>{t('reset.title')}</h1>
        <Note kind="ok" alert>
          <p>
            <strong>{t('reset.done')}</strong>
          </p>
          <Link to="/login" search={{ tenant: link.tenant || undefined }}>
            {t('reset.logIn')}
          </Link>
        </Note>
      </>
    )
  }
  return (
    <form className={`${card.card} stack wide`} onSubmit={submit} noValidate>
      <h1>{t('reset.title')}</h1>
      {act.failure ? (
        <Note kind="blocked" alert>
          <p>
            <strong>{t('reset.notSet')}</strong> {faultText(act.failure, t)}
          </p>
        </Note>
      ) : null}
      <TextField
        label={t('reset.password')}
        type="password"
        value={password}
        onChange={setTyped}
        autoComplete="new-password"
        autoFocus
        error={tried && !password ? t('reset.type') : undefined}
      />
      <TextField
        label={t('reset.again')}
        type="password"
        value={again}
        onChange={setAgain}
        autoComplete="new-password"
        error={tried && differs ? t('reset.differs') : undefined}
      />
      <Button kind="primary" type="submit" busy={act.busy}>
        {t('reset.save')}
      </Button>
    </form>
  )
}
