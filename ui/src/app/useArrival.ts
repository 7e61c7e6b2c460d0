// After a change of page: its title is announced and focus moves to the work, unless the page has taken
// focus itself (a scan field) or a dialog has it.
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { announce } from './live'

export function useArrival() {
  const main = useRef<HTMLElement>(null)
  const router = useRouter()
  const before = useRef(router.state.resolvedLocation?.pathname)
  // Heard, not read as state: the frame of all pages would be drawn again for each that has come.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const arrive = () => {
      announce(document.title.split(' – ')[0] ?? document.title)
      const { activeElement } = document
      const elsewhere = activeElement?.closest('[role="dialog"], [role="alertdialog"], main')
      if (!elsewhere) main.current?.focus()
    }
    const forget = router.subscribe('onResolved', ({ toLocation: { pathname } }) => {
      const first = before.current === undefined
      if (before.current === pathname) return
      before.current = pathname
      // The first page is announced by the browser.
      if (first) return
      clearTimeout(timer)
      timer = setTimeout(arrive)
    })
    return () => {
      forget()
      clearTimeout(timer)
    }
  }, [router])
  return main
}
