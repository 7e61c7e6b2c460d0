// Hears the scanner while a desk page is open, wherever focus is.
import { type RefObject, useEffect, useRef } from 'react'
import { inPause } from '#/lib/inPause'
import { ScanCapture } from './capture'
import { follow } from './run'
import { prepareSounds } from './sounds'

/** The page is drawn, and nobody has scanned yet. */
const IDLE_MS = 500

export function useCapture(
  field: RefObject<HTMLInputElement | null>,
  onScan: (barcode: string) => void,
) {
  const latest = useRef(onScan)
  latest.current = onScan
  useEffect(() => {
    return inPause(prepareSounds, IDLE_MS)
  }, [])
  useEffect(() => {
    const capture = new ScanCapture({
      onScan: (barcode) => latest.current(barcode),
      isScanField: (element) => element !== null && element === field.current,
    })
    // On the window and in the capture phase: before any widget, also those in dialogs.
    const hear = (event: KeyboardEvent) => {
      follow(event)
      capture.key(event)
    }
    window.addEventListener('keydown', hear, true)
    window.addEventListener('keyup', capture.release, true)
    return () => {
      window.removeEventListener('keydown', hear, true)
      window.removeEventListener('keyup', capture.release, true)
    }
  }, [field])
}
