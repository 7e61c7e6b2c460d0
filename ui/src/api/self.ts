// The person who is logged in, and what he may do.
import { queryOptions } from '@tanstack/react-query'
import { get } from './client'
import { keptOf } from './kept'
import { lastKnown } from './lastKnown'
import { session } from './session'
import type { User } from './types'

export interface Self {
  user: User
  /** Names of all permissions, also those inside sets. */
  permissions: ReadonlySet<string>
  desks: { id: string; name: string }[]
  defaultDeskId?: string
}

interface Answer {
  user: User
  servicePointsUser?: {
    servicePoints?: { id: string; name: string }[]
    defaultServicePointId?: string
  }
}

export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: ({ signal }) => lastKnown('self', () => fetched(signal)),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

async function fetched(signal: AbortSignal): Promise<Self> {
  const answer = await get<Answer>('/bl-users/_self', { include: 'servicepoints' }, signal)
  session.person = answer.user.id
  // Names only: the full records of an administrator's permissions are 700 kB.
  const { permissionNames } = await get<{ permissionNames: string[] }>(
    `/perms/users/${answer.user.id}/permissions`,
    { indexField: 'userId', expanded: true },
    signal,
  )
  return {
    user: answer.user,
    permissions: new Set(permissionNames),
    desks: answer.servicePointsUser?.servicePoints ?? [],
    defaultDeskId: answer.servicePointsUser?.defaultServicePointId,
  }
}

const useKept = keptOf<Self>(selfQuery.queryKey)

export function useSelf(): Self {
  const self = useKept()
  if (!self) throw new Error('invariant: the routes behind the log-in await the person')
  return self
}
