// Asks for what not every server has, and not every person may see. Both are answers to show, not failures.
import { get } from '#/api/client'
import { detailOf, failureOf } from '#/api/errors'

export type Probed<T> =
  | { state: 'there'; data: T }
  /** Another server, or an older one: it has no such route. */
  | { state: 'missing' }
  /** Without a permission's name: the route is for the people who run the server. */
  | { state: 'refused'; permission?: string }

const MISSING = new Set([404, 405, 501])

export async function probed<T>(
  path: string,
  query: Parameters<typeof get>[1],
  signal: AbortSignal,
): Promise<Probed<T>> {
  try {
    return { state: 'there', data: await get<T>(path, query, signal) }
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'forbidden')
      return { state: 'refused', permission: detailOf(failure) || undefined }
    const status = 'status' in failure ? failure.status : 0
    if (MISSING.has(status)) return { state: 'missing' }
    throw error
  }
}
