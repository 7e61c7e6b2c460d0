// Whether the visit's first page has been seen: what is asked for beside its rows does not hold up their first drawing.
import { useEffect, useState } from 'react'
import { afterFrame } from './afterFrame'

let seen = false

export function usePainted(): boolean {
  const [shown, setShown] = useState(seen)
  useEffect(() => {
    if (seen) return
    let gone = false
    afterFrame(() => {
      seen = true
      if (!gone) setShown(true)
    })()
    return () => {
      gone = true
    }
  }, [])
  return shown
}
