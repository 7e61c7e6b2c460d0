// Hears the scanner while a desk page is open, wherever focus is.
import { useEffect, useRef } from 'react'
import { ScanCapture } from './capture'

export function useCapture(onScan: (barcode: string) => void) {
  const latest = useRef(onScan)
  latest.current = onScan
  useEffect(() => {
    const capture = new ScanCapture((barcode) => latest.current(barcode))
    // On the window and in the capture phase: before any widget, also those in dialogs.
    window.addEventListener('keydown', capture.key, true)
    return () => window.removeEventListener('keydown', capture.key, true)
  }, [])
}
