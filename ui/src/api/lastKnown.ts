// What the client must know to start at all (person, permissions, locale), as the last visit knew it: so a
// desk can be opened while the server is away. Forgotten when the person logs out.
import { ApiFailure } from './errors'
import { session } from './session'

const file = () => import('#/offline/known')

/** Not while the first page is drawn: to keep it takes two files and a database. */
const KEEP_MS = 1000

export async function lastKnown<T>(name: string, fetched: () => Promise<T>): Promise<T> {
  const key = `${session.tenant}:${name}`
  try {
    const value = await fetched()
    setTimeout(async () => {
      // Who has logged out meanwhile stays forgotten.
      if (session.isLikely) (await file()).keepKnown(key, value)
    }, KEEP_MS)
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
