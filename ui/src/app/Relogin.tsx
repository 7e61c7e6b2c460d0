// The card that asks for the password again is no part of the first route, but is fetched soon after it: when it is
// needed the server may be away.
import { lazy, Suspense, useEffect } from 'react'
import { useSession } from '#/api/useSession'
import { inPause } from '#/lib/inPause'

const SOON_MS = 2000

const load = async () => ({ default: (await import('./ReloginCard')).ReloginCard })
const ReloginCard = lazy(load)

export function Relogin() {
  const state = useSession()
  useEffect(() => {
    // A failure is tried again when the card is needed.
    return inPause(() => load().catch(() => undefined), SOON_MS)
  }, [])
  return state === 'expired' ? (
    <Suspense>
      <ReloginCard />
    </Suspense>
  ) : null
}
