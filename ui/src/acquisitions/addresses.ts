// The library's own addresses: where vendors send what was ordered, and the bill. They have a route of their own;
// R1-2025 kept them as entries of the configuration, with the address inside a text.
import { queryOptions } from '@tanstack/react-query'
import { allPages } from '#/api/allPages'
import { failureOf } from '#/api/errors'
import type { Id } from '#/api/types'

export interface Address extends Id {
  name: string
  address?: string
}

const ENTRIES = 'module=="TENANT" and configName=="tenant.addresses"'

/** What cannot be read names nothing. */
export function addressOf({ id, value }: Id & { value?: string }): Address | undefined {
  try {
    const { name, address } = JSON.parse(value ?? '') as Partial<Address>
    return name ? { id, name, address } : undefined
  } catch {
    return undefined
  }
}

export const addressesQuery = queryOptions({
  queryKey: ['acq', 'addresses'],
  queryFn: async ({ signal }): Promise<Address[]> => {
    const [own, entries] = await Promise.all([
      readable(allPages<Address>('/tenant-addresses', 'addresses', EVERYTHING, signal)),
      readable(
        allPages<Id & { value?: string }>('/configurations/entries', 'configs', ENTRIES, signal),
      ),
    ])
    const older = entries.flatMap((entry) => addressOf(entry) ?? [])
    return [...own, ...older].toSorted((one, other) => one.name.localeCompare(other.name))
  },
})
const EVERYTHING = 'cql.allRecords=1'

/** Nothing where the server has no such route, or the person may not read it. */
const readable = <T>(asked: Promise<T[]>): Promise<T[]> =>
  asked.catch((error: unknown) => {
    const failure = failureOf(error)
    if (failure.kind === 'forbidden' || (failure.kind === 'fault' && failure.status === 404))
      return []
    throw error
  })
