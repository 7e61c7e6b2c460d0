// Saves a record of settings. FOLIO's settings have no version to lock by, so what is stored is read again
// first: nobody's change is lost unseen.
import { get, post, put } from '#/api/client'
import { bare, isSame, shownOnly } from './check'
import type { Kind } from './kinds'
import type { Values } from './paths'

export type Saved = { kind: 'saved'; id: string } | { kind: 'changed'; theirs: Values }

export const readRecord = (kind: Kind, id: string): Promise<Values> =>
  kind.wire ? kind.wire.read(id) : get<Values>(`${kind.path}/${id}`)

export async function save(kind: Kind, record: Values, before: Values | undefined): Promise<Saved> {
  const body = (stored: Values | undefined, id: string) => {
    const shown = kind.shownOnly ? shownOnly(kind, record) : record
    const whole = { ...bare(shown), id }
    return kind.wire?.body?.(whole, stored) ?? whole
  }
  if (!before) {
    const id = crypto.randomUUID()
    if (kind.wire?.store) {
      await kind.wire.store({ ...bare(record), id }, undefined)
      return { kind: 'saved', id }
    }
    const made = await post<{ id?: string } | undefined>(kind.path, await body(undefined, id))
    return { kind: 'saved', id: made?.id ?? '' }
  }
  const id = String(before.id)
  const theirs = await readRecord(kind, id)
  if (!isSame(theirs, before)) return { kind: 'changed', theirs }
  if (kind.wire?.store) {
    await kind.wire.store({ ...bare(record), id }, theirs)
    return { kind: 'saved', id }
  }
  await put(`${kind.path}/${id}`, await body(theirs, id))
  return { kind: 'saved', id }
}
