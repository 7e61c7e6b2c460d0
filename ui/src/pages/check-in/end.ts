// The end of a session: patrons get their session notices. A failure must not keep the desk: the notices
// are then sent by the server's own time-out.
import { post } from '#/api/client'
import type { Scan } from '#/desk/types'

export async function endCheckIn(scans: readonly Scan[]) {
  const patrons = new Set(scans.flatMap((scan) => (scan.patronId ? [scan.patronId] : [])))
  const endSessions = [...patrons].map((patronId) => ({ actionType: 'Check-in', patronId }))
  if (!endSessions.length) return
  await post('/circulation/end-patron-action-session', { endSessions }).catch(() => undefined)
}
