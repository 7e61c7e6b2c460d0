// A desk page, or the offline desk in its place while the server is away.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useConnection } from '#/api/useConnection'
import type { DeskSession } from '#/desk/session'
import type { DeskAct } from '#/desk/words'
import { useQuietly } from '../useQuietly'

interface Desk {
  act: DeskAct
  session: DeskSession
}

export function OrOffline({ act, session, children }: Desk & { children: ReactNode }) {
  const { offline } = useConnection()
  const [Offline, setOffline] = useState<ComponentType<Desk>>()
  useEffect(() => {
    if (offline) void import('./OfflineDesk').then((found) => setOffline(() => found.default))
  }, [offline])
  // It is here before the pages are exchanged: in between, scans would find no field.
  const shown = useQuietly(offline && Boolean(Offline))
  return shown && Offline ? <Offline act={act} session={session} /> : children
}
