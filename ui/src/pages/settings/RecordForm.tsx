// One record of settings: read, changed, made, deleted.
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { codeOf, Refused } from '#/acquisitions/Refused'
import { request } from '#/api/client'
import { failureOf } from '#/api/errors'
import { queryClient } from '#/api/query'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { isSame, lacking } from '#/settings/check'
import type { Kind } from '#/settings/kinds'
import { type Values, withValue } from '#/settings/paths'
import { nameOf } from '#/settings/records'
import { readRecord, save } from '#/settings/save'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { BothVersions } from './BothVersions'
import { DeleteAsk } from './DeleteAsk'
import { FieldList } from './FieldList'
import styles from './settings.module.css'
import { useMayWrite } from './useMayWrite'

const NONE: ReadonlySet<string> = new Set()

interface Props {
  kind: Kind
  id: string
  /** As it is stored; undefined for a new one. */
  stored: Values | undefined
}

export function RecordForm({ kind, id, stored }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const isNew = id === 'new'
  const [before, setBefore] = useState(stored)
  const [record, setRecord] = useState<Values>(() => before ?? kind.fresh ?? {})
  const [theirs, setTheirs] = useState<Values>()
  const [error, setError] = useState<unknown>()
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const cannot = useMayWrite(kind, isNew ? 'post' : 'put')
  const cannotDelete = useMayWrite(kind, 'delete')
  const missing = lacking(kind, record)
  const dirty = !before || !isSame(before, record)
  const toList = () => void navigate({ to: '/settings', search: { of: kind.id } })

  const run = async (over?: Values) => {
    if (busy || cannot) return
    setTried(true)
    if (missing.size) {
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-lacking]')?.focus(),
      )
      return
    }
    setBusy(true)
    setError(undefined)
    try {
      const saved = await save(kind, record, over ?? before)
      if (saved.kind === 'changed') return setTheirs(saved.theirs)
      // Other pages choose from these lists, under keys of their own.
      await queryClient.invalidateQueries()
      announce(t('set.saved'))
      if (!kind.single) return toList()
      const now = await readRecord(kind, id)
      setBefore(now)
      setRecord(now)
    } catch (failed) {
      setError(failed)
    } finally {
      setBusy(false)
    }
  }
  const drop = async () => {
    setError(undefined)
    try {
      await request(`${kind.path}/${id}`, {
        method: 'DELETE',
        headers: await kind.headers?.(),
      })
      // The list first: what is deleted cannot be read again.
      await navigate({ to: '/settings', search: { of: kind.id } })
      await queryClient.invalidateQueries()
    } catch (failed) {
      setError(failed)
    }
  }
  useCommands([
    { id: 'set.save', title: 'rules.save', group: 'page', keys: 'Mod+S', run: () => void run() },
  ])
  if (!before && !isNew) return <Empty icon="list" title={t('set.gone')} />
  const name = kind.single
    ? t(kind.title)
    : before
      ? nameOf(before as Values & { id: string }, kind)
      : t('set.new')
  return (
    <>
      <RecordHead
        title={name}
        path={
          <Link to="/settings" search={{ of: kind.single ? undefined : kind.id }}>
            {t(kind.single ? 'shell.settings' : kind.title)}
          </Link>
        }
      >
        {before && !kind.single && !kind.fixed ? (
          <Button kind="danger" disabled={cannotDelete} onPress={() => setAsking(true)}>
            {t('set.delete')}
          </Button>
        ) : null}
        {kind.single ? null : (
          <Button onPress={toList}>{t(dirty ? 'set.leave' : 'set.back')}</Button>
        )}
        <Button
          kind="primary"
          keys="Mod+S"
          busy={busy}
          disabled={cannot ?? (dirty ? undefined : t('rules.unchanged'))}
          onPress={() => void run()}
        >
          {t('rules.save')}
        </Button>
      </RecordHead>
      <div className={page.pane}>
        <form
          ref={form}
          className={cx(page.body, styles.form)}
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            void run()
          }}
        >
          {tried && missing.size ? (
            <Note kind="blocked" alert>
              <p>
                <strong>{t('set.notSaved')}</strong> {t('set.lacking', { count: missing.size })}
              </p>
            </Note>
          ) : null}
          {error && codeOf(failureOf(error)) ? (
            <Refused failure={failureOf(error)} />
          ) : error ? (
            <Failed error={error} />
          ) : null}
          {theirs ? (
            <BothVersions
              kind={kind}
              mine={record}
              theirs={theirs}
              onMine={() => {
                setTheirs(undefined)
                setBefore(theirs)
                void run(theirs)
              }}
              onTheirs={() => {
                setTheirs(undefined)
                setBefore(theirs)
                setRecord(theirs)
              }}
            />
          ) : null}
          <FieldList
            fields={kind.fields}
            record={record}
            faults={tried ? missing : NONE}
            onChange={(name, value) =>
              setRecord((now) => {
                const next = withValue(now, name, value)
                return kind.follow?.(next, name) ?? next
              })
            }
          />
          <button type="submit" hidden />
        </form>
      </div>
      <DeleteAsk
        {...{ kind, id, name }}
        open={asking}
        onClose={() => setAsking(false)}
        onDelete={() => void drop()}
      />
    </>
  )
}
