// The form itself.
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { type Failure, failureOf } from '#/api/errors'
import type { Features } from '#/api/features'
import { logIn } from '#/api/login'
import { session } from '#/api/session'
import { type Text, useText } from '#/i18n/text'
import { chooseDesk, deskChoice } from '#/lib/desk'
import { Button } from '#/ui/Button'
import card from '#/ui/Card.module.css'
import { Note } from '#/ui/Note'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'

export function LoginForm({ installation }: { installation: Features | undefined }) {
  const t = useText()
  const search = useSearch({ from: '/login' })
  const only = installation?.tenant ?? undefined
  const [tenant, setTenant] = useState(search.tenant ?? only ?? session.tenant)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<{ title: string; text: string; again?: boolean }>()
  const [busy, setBusy] = useState(false)
  const passwordField = useRef<HTMLInputElement>(null)
  const { offered, desk } = deskChoice.read()
  const [deskId, setDeskId] = useState(desk?.id)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!username || !password) {
      setFault({ title: t('login.missing'), text: '' })
      return
    }
    setBusy(true)
    session.tenant = tenant.trim()
    const chosen = offered.find((one) => one.id === deskId)
    if (chosen) chooseDesk(chosen)
    try {
      await logIn(username, password)
    } catch (error) {
      setFault(faultOf(failureOf(error), t))
      setPassword('')
      setBusy(false)
      passwordField.current?.focus()
    }
  }
  return (
    <form className={`${card.card} stack wide`} onSubmit={submit} noValidate>
      <div className="stack tight">
        <h1>{t('login.title')}</h1>
        {installation?.tenantName ? <p className="soft">{installation.tenantName}</p> : null}
      </div>
      {window.isSecureContext ? null : (
        <Note kind="fee" alert>
          <p>
            <strong>{t('login.insecure')}</strong> {t('login.insecureWhat')}
          </p>
        </Note>
      )}
      {fault ? (
        <Note kind="blocked" alert>
          <p>
            <strong>{fault.title}</strong> {fault.text}
          </p>
        </Note>
      ) : null}
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
        label={t('login.name')}
        value={username}
        onChange={setUsername}
        autoComplete="username"
        autoFocus
      />
      <TextField
        label={t('shell.password')}
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        error={fault?.again ? t('login.again') : undefined}
        inputRef={passwordField}
      />
      {offered.length ? (
        <Select
          label={t('shell.desk')}
          help={t('shell.deskHelp')}
          placeholder={t('shell.noDesk')}
          value={deskId}
          onChange={setDeskId}
          choices={offered.map((one) => ({ value: one.id, text: one.name }))}
        />
      ) : null}
      <Button kind="primary" type="submit" busy={busy}>
        {t('login.title')}
      </Button>
      <Link to="/login" search={{ ...search, forgot: true }} className="sm">
        {t('login.forgottenAsk')}
      </Link>
    </form>
  )
}

function faultOf(failure: Failure, t: Text) {
  switch (failure.kind) {
    case 'unreachable':
      return { title: t('login.away'), text: t('shell.failure.unreachable') }
    case 'refused': {
      const code = failure.errors[0]?.code ?? ''
      if (code.includes('blocked') && !code.includes('wrong')) {
        return { title: t('login.locked'), text: t('login.lockedWhat') }
      }
      return { title: t('login.wrong'), text: t('login.wrongWhat'), again: true }
    }
    case 'fault':
      // "No such Tenant x".
      return failure.status === 400
        ? { title: t('login.noLibrary'), text: t('login.noLibraryWhat') }
        : { title: t('shell.failure.fault'), text: failure.text }
    default:
      return { title: t('login.wrong'), text: t('login.wrongWhat'), again: true }
  }
}
