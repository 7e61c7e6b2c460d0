// Notes that staff want to be seen whenever the record is opened.
import { plain } from '#/lib/plain'
import type { StaffNote } from '#/patrons/types'
import { Note } from '#/ui/Note'

export function PopUps({ notes }: { notes: readonly StaffNote[] | undefined }) {
  const shown = (notes ?? []).filter((one) => one.popUpOnUser)
  return (
    <>
      {shown.map((note) => (
        <Note key={note.id} kind="fee" icon="sticky-note" bar>
          <p className="grow" dir="auto">
            <strong>{note.title}</strong> {plain(note.content ?? '')}
          </p>
        </Note>
      ))}
    </>
  )
}
