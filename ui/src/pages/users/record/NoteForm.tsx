// A note of staff: type, title, words, and where it is to be seen.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { post, put } from '#/api/client'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { plain } from '#/lib/plain'
import { noteTypesQuery } from '#/patrons/queries'
import type { StaffNote } from '#/patrons/types'
import { Checkbox } from '#/ui/Checkbox'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'

interface Props {
  note: Partial<StaffNote>
  onDone: () => void
  onClose: () => void
}

export function NoteForm({ note, onDone, onClose }: Props) {
  const t = useText()
  const act = useAct()
  const { data: types } = useQuery(noteTypesQuery)
  const [draft, setDraft] = useState(note)
  const [words, setWords] = useState(() => plain(note.content ?? ''))
  const [tried, setTried] = useState(false)
  const change = (patch: Partial<StaffNote>) => setDraft({ ...draft, ...patch })
  const typeId = draft.typeId ?? types?.[0]?.id
  const save = async () => {
    setTried(true)
    if (!draft.title?.trim() || !typeId) return
    // Words that were not touched keep the markup that another client gave them.
    const content = words === plain(note.content ?? '') ? note.content : markup(words)
    const { metadata: _, type: __, ...rest } = draft
    const body = { ...rest, typeId, content: content ?? '' }
    const done = await act.run(() =>
      draft.id ? put(`/notes/${draft.id}`, body) : post('/notes', body),
    )
    if (done) onDone()
  }
  return (
    <ConfirmCard
      title={note.id ? t('users.changeNote') : t('users.newNote')}
      act={t('forms.save')}
      busy={act.busy}
      onAct={() => void save()}
      onClose={onClose}
    >
      <NotDone failure={act.failure} />
      <Fields>
        <TextField
          label={t('users.noteTitle')}
          value={draft.title ?? ''}
          onChange={(title) => change({ title })}
          error={tried && !draft.title?.trim() ? t('users.typeTitle') : undefined}
        />
        <Select
          label={t('users.noteType')}
          value={typeId}
          choices={(types ?? []).map((one) => ({ value: one.id, text: one.name }))}
          onChange={(id) => change({ typeId: id })}
        />
      </Fields>
      {types?.length === 0 ? <p className="sm">{t('users.noNoteTypes')}</p> : null}
      <TextField
        label={t('users.noteText')}
        mark="optional"
        lines
        value={words}
        onChange={setWords}
      />
      <div className="row wrap wide">
        <Checkbox
          checked={Boolean(draft.popUpOnCheckOut)}
          onChange={(popUpOnCheckOut) => change({ popUpOnCheckOut })}
        >
          {t('users.atCheckOut')}
        </Checkbox>
        <Checkbox
          checked={Boolean(draft.popUpOnUser)}
          onChange={(popUpOnUser) => change({ popUpOnUser })}
        >
          {t('users.onRecord')}
        </Checkbox>
      </div>
    </ConfirmCard>
  )
}

/** Words as FOLIO's editors keep them: a paragraph for each line. */
function markup(words: string): string {
  const place = document.createElement('div')
  for (const line of words.split('\n')) {
    const paragraph = document.createElement('p')
    paragraph.textContent = line
    place.append(paragraph)
  }
  return words.trim() ? place.innerHTML : ''
}
