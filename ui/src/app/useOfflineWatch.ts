// Fetches the offline desk's code while the server is there, and lets it send what is kept.
import { useEffect } from 'react'
import { inPause } from '#/lib/inPause'

const LATER_MS = 1000

export function useOfflineWatch() {
  useEffect(() => {
    return inPause(() => {
      void import('#/offline/watch').then(({ watch }) => watch())
      void import('#/offline/ui/OfflineDesk')
    }, LATER_MS)
  }, [])
}
