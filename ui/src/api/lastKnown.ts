// What the client must know to start at all (person, permissions, locale), as the last visit knew it: so a
// desk can be opened while the server is away. Forgotten when the person logs out.
import { ApiFailure } from './errors'
import { session } from './session'

const file = () => import('#/offline/known')

export async function lastKnown<T>(name: string, fetched: () => Promise<T>): Promise<T> {
  const key = `${session.tenant}:${name}`
  try {
    const value = await fetched()
    void file().then(({ keepKnown }) => keepKnown(key, value))
    return value
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.failure.kind !== 'unreachable') throw error
    const { readKnown } = await file()
    const kept = await readKnown<T>(key)
    if (kept === undefined) throw error
    return kept
  }
}

export const forgetKnown = () => file().then(({ forget }) => forget())
