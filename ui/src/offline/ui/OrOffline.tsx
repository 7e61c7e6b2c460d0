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
  const Offline = useOfflineDesk(offline)
  // Exchanged only once the other page is here: in between, nothing would hear a scan.
  const shown = useQuietly(offline && Offline !== undefined)
  return shown && Offline ? <Offline act={act} session={session} /> : children
}

function useOfflineDesk(wanted: boolean): ComponentType<Desk> | undefined {
  const [desk, setDesk] = useState<ComponentType<Desk>>()
  useEffect(() => {
    if (!wanted) return
    import('./OfflineDesk').then(
      (found) => setDesk(() => found.default),
      // Not kept by this browser: the page stays, and its scans wait for the server.
      () => undefined,
    )
  }, [wanted])
  return desk
}
