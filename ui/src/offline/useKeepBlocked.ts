// While lending is open, the list of blocked cards is kept for the time when the server is away.
import { useEffect } from 'react'
import { useSelf } from '#/api/self'
import { allowance } from '#/lib/permissions'
import { fetchBlocked, learnBlocked } from './blocked'

const SOON_MS = 3000
const CHECK_MS = 10 * 60_000
const NEEDED = ['manualblocks.collection.get', 'users.collection.get'] as const

export function useKeepBlocked() {
  const { permissions } = useSelf()
  const may = NEEDED.every((one) => allowance(permissions, one))
  useEffect(() => {
    if (!may) return
    // What fails is tried again; the desk works without it.
    const keep = () => void fetchBlocked().catch(() => undefined)
    const soon = setTimeout(keep, SOON_MS)
    const timer = setInterval(keep, CHECK_MS)
    return () => {
      clearTimeout(soon)
      clearInterval(timer)
    }
  }, [may])
}

/** What the server says of the card before the desk. */
export function useLearnBlocked(card: string | undefined, blocks: readonly string[] | undefined) {
  useEffect(() => {
    if (card && blocks) void learnBlocked(card, blocks)
  }, [card, blocks])
}
