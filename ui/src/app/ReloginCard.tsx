// The session has expired: asks for the password over the sheet. What was typed and scanned stays; the
// waiting requests go on afterwards.
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { failureOf } from '#/api/errors'
import { logIn, logOut } from '#/api/login'
import { type Self, selfQuery } from '#/api/self'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'
import { TextField } from '#/ui/TextField'
import styles from './ReloginCard.module.css'

export function ReloginCard() {
  const t = useText()
  // Read without a request: the session is over.
  const username = useQueryClient().getQueryData<Self>(selfQuery.queryKey)?.user.username ?? ''
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(() => field.current?.focus(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await logIn(username, password)
    } catch (error) {
      const { kind } = failureOf(error)
      setFault(kind === 'unreachable' ? t('shell.failure.unreachable') : t('shell.wrongPassword'))
      setPassword('')
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className={styles.over} aria-label={t('shell.expired')}>
      <form className={styles.card} onSubmit={submit}>
        <div className="stack tight">
          <h2>{t('shell.expired')}</h2>
          <p className="soft">{t('shell.expiredWhat', { name: username })}</p>
        </div>
        {fault ? (
          <Note kind="blocked" alert>
            <p>{fault}</p>
          </Note>
        ) : null}
        <TextField
          label={t('shell.password')}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          inputRef={field}
        />
        <div className="row">
          <Button kind="primary" type="submit" busy={busy}>
            {t('shell.goOn')}
          </Button>
          <Button kind="quiet" onPress={() => void logOut()}>
            {t('shell.logOut')}
          </Button>
        </div>
      </form>
    </section>
  )
}
