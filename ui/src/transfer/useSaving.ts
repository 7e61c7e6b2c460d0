// Something that is saved as a file after a while: one at a time; leaving the page ends the waiting.
import { useEffect, useRef, useState } from 'react'
import { detailOf, failureOf } from '#/api/errors'
import { useText } from '#/i18n/text'

/** Says at its end what was saved, and meanwhile how far it is. */
type Act = (signal: AbortSignal, say: (text: string) => void) => Promise<string>

export function useSaving() {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (act: Act) => {
    if (busy) return
    const control = new AbortController()
    running.current = control
    setBusy(true)
    setSaid(t('list.saving'))
    try {
      setSaid(await act(control.signal, setSaid))
    } catch (error) {
      if (control.signal.aborted) return
      const failure = failureOf(error)
      setSaid(detailOf(failure) || t(`shell.failure.${failure.kind}`))
    } finally {
      setBusy(false)
    }
  }
  return { run: (act: Act) => void run(act), busy, said }
}
