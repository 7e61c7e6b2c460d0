// Notes of staff about the user. FOLIO keeps their text as HTML; here it is read and written as words.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { remove } from '#/api/client'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { plain } from '#/lib/plain'
import { notesQuery } from '#/patrons/queries'
import type { StaffNote } from '#/patrons/types'
import { Badge } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { NoteForm } from './NoteForm'
import styles from './record.module.css'

export function Notes({ userId }: { userId: string }) {
  const t = useText()
  const formats = useFormats()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(notesQuery(userId))
  const mayAdd = useNeeds('notes.item.post')
  const mayEdit = useNeeds('notes.item.put')
  const mayRemove = useNeeds('notes.item.delete')
  const act = useAct()
  const [draft, setDraft] = useState<Partial<StaffNote>>()
  const [deleting, setDeleting] = useState<StaffNote>()
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return null
  const done = async () => {
    setDraft(undefined)
    setDeleting(undefined)
    await client.invalidateQueries({ queryKey: notesQuery(userId).queryKey })
  }
  return (
    <section className="stack wide" aria-label={t('users.notes')}>
      <div className="row">
        <Button
          small
          icon="plus"
          disabled={mayAdd.reason}
          onPress={() => setDraft({ links: [{ id: userId, type: 'user' }], domain: 'users' })}
        >
          {t('users.newNote')}
        </Button>
      </div>
      {draft ? (
        <NoteForm note={draft} onDone={() => void done()} onClose={() => setDraft(undefined)} />
      ) : null}
      {deleting ? (
        <ConfirmCard
          title={t('users.deleteNote', { title: deleting.title })}
          act={t('users.delete')}
          danger
          busy={act.busy}
          onAct={() =>
            void act
              .run(() => remove(`/notes/${deleting.id}`))
              .then((ok) => (ok ? done() : undefined))
          }
          onClose={() => setDeleting(undefined)}
        >
          <NotDone failure={act.failure} />
        </ConfirmCard>
      ) : null}
      {data.length === 0 && !draft ? (
        <Empty icon="sticky-note" title={t('users.noNotes')} text={t('users.noNotesWhat')} />
      ) : null}
      <ul>
        {data.map((one) => (
          <li key={one.id} className={styles.note}>
            <div className="row wrap">
              <bdi className="strong">{one.title}</bdi>
              {one.type ? <Badge>{one.type}</Badge> : null}
              {one.popUpOnCheckOut ? <Badge kind="fee">{t('users.atCheckOut')}</Badge> : null}
              {one.popUpOnUser ? <Badge kind="fee">{t('users.onRecord')}</Badge> : null}
              <span className="row push">
                <Button small kind="quiet" disabled={mayEdit.reason} onPress={() => setDraft(one)}>
                  {t('users.change')}
                </Button>
                <Button
                  small
                  kind="quiet"
                  disabled={mayRemove.reason}
                  onPress={() => setDeleting(one)}
                >
                  {t('users.delete')}
                </Button>
              </span>
            </div>
            <p className="soft" dir="auto">
              {plain(one.content ?? '')}
            </p>
            <p className="sm muted">
              {[
                one.metadata?.createdByUsername,
                one.metadata?.createdDate && formats.dayTime(one.metadata.createdDate),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
