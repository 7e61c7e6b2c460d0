// Records that an organization names by their ids: contacts and interfaces. A new one is stored first, then named.
import { useQuery } from '@tanstack/react-query'
import { changed } from '#/acquisitions/queries'
import type { Organization } from '#/acquisitions/types'
import { get, post, put } from '#/api/client'
import { anyOf } from '#/api/cql'
import type { Id } from '#/api/types'

type Kind = 'contacts' | 'interfaces'

export function useLinked<T extends Id>(kind: Kind, organization: Organization) {
  const ids = organization[kind] ?? []
  const path = `/organizations-storage/${kind}`
  return useQuery({
    queryKey: ['acq', 'linked', kind, ids],
    queryFn: async ({ signal }) => {
      const query = { query: anyOf('id', ids), limit: ids.length }
      return (await get<Record<Kind, T[]>>(path, query, signal))[kind]
    },
    enabled: ids.length > 0,
  })
}

export async function addLinked(kind: Kind, organization: Organization, body: object) {
  const { id } = await post<Id>(`/organizations-storage/${kind}`, body)
  const path = `/organizations/organizations/${organization.id}`
  // Read again: what somebody else saved meanwhile must not be lost by a link.
  const now = await get<Organization>(path)
  await put(path, { ...now, [kind]: [...(now[kind] ?? []), id] })
  await changed()
}
