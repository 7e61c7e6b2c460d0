// After a change of page: its title is announced and focus moves to the work, unless the page has taken
// focus itself (a scan field) or a dialog has it.
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { announce } from './live'

export function useArrival() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (before.current === path) return
    const first = before.current === undefined
    before.current = path
    if (first) return
    const timer = setTimeout(() => {
      announce(document.title.split(' – ')[0] ?? document.title)
      const { activeElement } = document
      const elsewhere = activeElement?.closest('[role="dialog"], [role="alertdialog"], main')
      if (!elsewhere) main.current?.focus()
    })
    return () => clearTimeout(timer)
  }, [path])
  return main
}
