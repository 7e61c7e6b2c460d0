// Scans that waited for the server when it went away: the offline desk goes on with them.
import { useEffect } from 'react'
import type { DeskSession } from '#/desk/session'
import type { Scan } from '#/desk/types'

export function useHandover(session: DeskSession, take: (scan: Scan) => void) {
  useEffect(() => {
    const hand = () => {
      for (const scan of session.takeWaiting()) take(scan)
    }
    hand()
    const leave = session.subscribe(hand)
    return () => void leave()
  }, [session, take])
}
