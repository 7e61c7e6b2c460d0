// One act at a time: while it runs the button shows it; a failure stays beside the fields, which keep what was typed.
import { useCallback, useRef, useState } from 'react'
import { type Failure, failureOf } from '#/api/errors'

export interface Act {
  busy: boolean
  failure: Failure | undefined
  /** Whether it was done. */
  run: (act: () => Promise<unknown>) => Promise<boolean>
  clear: () => void
}

export function useAct(): Act {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const running = useRef(false)
  const run = useCallback(async (act: () => Promise<unknown>) => {
    // A second Enter while the first is under way must not pay twice.
    if (running.current) return false
    running.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      await act()
      return true
    } catch (error) {
      setFailure(failureOf(error))
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }, [])
  return { busy, failure, run, clear: () => setFailure(undefined) }
}
