// Saves a record of settings. FOLIO's settings have no version to lock by, so what is stored is read again
// first: nobody's change is lost unseen.
import { get, post, put } from '#/api/client'
import { bare, isSame } from './check'
import type { Kind } from './kinds'
import type { Values } from './paths'

export type Saved = { kind: 'saved'; id: string } | { kind: 'changed'; theirs: Values }

export async function save(kind: Kind, record: Values, before: Values | undefined): Promise<Saved> {
  if (!before) {
    const made = await post<{ id?: string } | undefined>(kind.path, {
      id: crypto.randomUUID(),
      ...bare(record),
    })
    return { kind: 'saved', id: made?.id ?? '' }
  }
  const path = `${kind.path}/${String(before.id)}`
  // A calendar is not read by its id, and two people at one calendar are rare.
  if (kind.id !== 'calendars') {
    const theirs = await get<Values>(path)
    if (!isSame(theirs, before)) return { kind: 'changed', theirs }
  }
  await put(path, bare(record))
  return { kind: 'saved', id: String(before.id) }
}
