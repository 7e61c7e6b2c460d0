// A desk page, or the offline desk in its place while the server is away.
import { lazy, type ReactNode, Suspense } from 'react'
import { useConnection } from '#/api/useConnection'
import type { DeskSession } from '#/desk/session'
import type { DeskAct } from '#/desk/words'
import { useQuietly } from '../useQuietly'

const OfflineDesk = lazy(() => import('./OfflineDesk'))

interface Props {
  act: DeskAct
  session: DeskSession
  children: ReactNode
}

export function OrOffline({ act, session, children }: Props) {
  const offline = useQuietly(useConnection().offline)
  if (!offline) return children
  return (
    <Suspense>
      <OfflineDesk act={act} session={session} />
    </Suspense>
  )
}
