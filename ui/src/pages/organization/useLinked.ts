// Records that an organization names by their ids: contacts and interfaces. A new one is stored first, then named; what
// is unlinked stays stored, as FOLIO leaves it, until somebody deletes it.
import { useQuery } from '@tanstack/react-query'
import { changed } from '#/acquisitions/queries'
import type { Organization } from '#/acquisitions/types'
import { get, post, put, remove } from '#/api/client'
import { anyOf, quoted } from '#/api/cql'
import type { Id } from '#/api/types'

export type Linked = 'contacts' | 'privilegedContacts' | 'interfaces'

/** Where they are stored, and the permissions without their last word. */
export const PATHS: Record<Linked, string> = {
  contacts: '/organizations-storage/contacts',
  privilegedContacts: '/organizations-storage/privileged-contacts',
  interfaces: '/organizations-storage/interfaces',
}
export const STEMS: Record<Linked, string> = {
  contacts: 'organizations-storage.contacts',
  privilegedContacts: 'organizations-storage.privileged-contacts',
  interfaces: 'organizations-storage.interfaces',
}
const OTHERS_MAX = 10
/** The property of the answers: both kinds of contacts have the same one. */
export const KEYS = {
  contacts: 'contacts',
  privilegedContacts: 'contacts',
  interfaces: 'interfaces',
}

export function useLinked<T extends Id>(kind: Linked, organization: Organization, allowed = true) {
  const ids = organization[kind] ?? []
  return useQuery({
    queryKey: ['acq', 'linked', kind, ids],
    queryFn: async ({ signal }) => {
      const query = { query: anyOf('id', ids), limit: ids.length }
      return (await get<Record<string, T[]>>(PATHS[kind], query, signal))[KEYS[kind]] ?? []
    },
    enabled: ids.length > 0 && allowed,
  })
}

async function relink(
  kind: Linked,
  { id }: Organization,
  ids: (before: readonly string[]) => string[],
) {
  const path = `/organizations/organizations/${id}`
  // Read again: what somebody else saved meanwhile must not be lost by a link.
  const now = await get<Organization>(path)
  await put(path, { ...now, [kind]: ids(now[kind] ?? []) })
  await changed()
}

export async function addLinked(kind: Linked, organization: Organization, body: object) {
  const { id } = await post<Id>(PATHS[kind], body)
  await relink(kind, organization, (before) => [...before, id])
}

export const link = (kind: Linked, organization: Organization, id: string) =>
  relink(kind, organization, (before) => [...before.filter((one) => one !== id), id])

export const unlink = (kind: Linked, organization: Organization, id: string) =>
  relink(kind, organization, (before) => before.filter((one) => one !== id))

/** The other organizations that name it, by their names. */
export async function othersWith(kind: Linked, { id: own }: Organization, id: string) {
  const query = { query: `${kind}=${quoted(id)}`, limit: OTHERS_MAX }
  const { organizations } = await get<{ organizations: Organization[] }>(
    '/organizations/organizations',
    query,
  )
  return organizations.filter((one) => one.id !== own && one[kind]?.includes(id))
}

/** Unlinked first: an organization must not name what is gone. */
export async function removeLinked(kind: Linked, organization: Organization, id: string) {
  await unlink(kind, organization, id)
  await remove(`${PATHS[kind]}/${id}`)
}
