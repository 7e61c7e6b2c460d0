// Password or user name forgotten: the server sends a mail to whoever is found by what is typed.
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { request } from '#/api/client'
import { type Failure, failureOf } from '#/api/errors'
import type { Features } from '#/api/features'
import { session } from '#/api/session'
import { type Text, useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import card from '#/ui/Card.module.css'
import { Note } from '#/ui/Note'
import { Segmented } from '#/ui/Segmented'
import { TextField } from '#/ui/TextField'

type What = 'password' | 'username'

export function ForgottenForm({ installation }: { installation: Features | undefined }) {
  const t = useText()
  const search = useSearch({ from: '/login' })
  const only = installation?.tenant ?? undefined
  const [tenant, setTenant] = useState(search.tenant ?? only ?? session.tenant)
  const [what, setWhat] = useState<What>('password')
  const [id, setId] = useState('')
  const [tried, setTried] = useState(false)
  const [fault, setFault] = useState<string>()
  const [sent, setSent] = useState<What>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    setSent(undefined)
    setFault(undefined)
    if (!id.trim()) return field.current?.focus()
    setBusy(true)
    session.tenant = tenant.trim()
    try {
      const body = { id: id.trim() }
      await request(`/bl-users/forgotten/${what}`, { method: 'POST', body, impatient: true })
      setSent(what)
    } catch (error) {
      setFault(faultOf(failureOf(error), t))
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={`${card.card} stack wide`} onSubmit={submit} noValidate>
      <h1>{t('login.forgotten')}</h1>
      {fault ? (
        <Note kind="blocked" alert>
          <p>
            <strong>{t('login.notSent')}</strong> {fault}
          </p>
        </Note>
      ) : null}
      {sent ? (
        <Note kind="ok" alert>
          <p>
            <strong>{t('login.sent')}</strong>{' '}
            {t(sent === 'password' ? 'login.sentLink' : 'login.sentName')}
          </p>
        </Note>
      ) : null}
      <Segmented
        label={t('login.forgotWhich')}
        value={what}
        onChange={setWhat}
        choices={[
          { value: 'password', text: t('login.forgotPassword') },
          { value: 'username', text: t('login.forgotName') },
        ]}
      />
      {only && !search.tenant ? null : (
        <TextField
          label={t('login.library')}
          help={t('login.libraryHelp')}
          value={tenant}
          onChange={setTenant}
          autoComplete="organization"
        />
      )}
      <TextField
        label={t(what === 'password' ? 'login.knownName' : 'login.knownMail')}
        help={t('login.knownHelp')}
        value={id}
        onChange={setId}
        error={tried && !id.trim() ? t('login.knownNeeded') : undefined}
        inputRef={field}
        autoFocus
      />
      <Button kind="primary" type="submit" busy={busy}>
        {t('login.send')}
      </Button>
      <Link to="/login" search={{ ...search, forgot: undefined }} className="sm">
        {t('login.back')}
      </Link>
    </form>
  )
}

function faultOf(failure: Failure, t: Text): string {
  if (failure.kind === 'unreachable') return t('shell.failure.unreachable')
  if (failure.kind === 'refused') {
    const { code, message = '' } = failure.errors[0] ?? {}
    if (code === 'forgotten.password.found.inactive') return t('login.inactive')
    if (code === 'user.absent-username') return t('login.nameless')
    return message
  }
  if (failure.kind !== 'fault') return t('shell.failure.fault')
  if (failure.status === 429) return t('login.tooMany')
  // "No such Tenant x", or "User is not found: y".
  if (failure.status === 400)
    return t(/tenant/i.test(failure.text.split(':')[0] ?? '') ? 'login.noLibrary' : 'login.nobody')
  return failure.text
}
