// A value that changes only while hands rest: neither in the middle of a scanner's burst, nor while something
// is half typed. The page that is exchanged would take it along.
import { useEffect, useState } from 'react'
import { lastPress } from '#/desk/run'

const REST_MS = 400
const LOOK_MS = 100

export function useQuietly<T>(value: T): T {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    if (shown === value) return
    let pressedAt = performance.now()
    const press = () => {
      pressedAt = performance.now()
    }
    addEventListener('keydown', press, true)
    const timer = setInterval(() => {
      const rest = performance.now() - Math.max(pressedAt, lastPress())
      if (rest >= REST_MS && !isHalfTyped()) setShown(value)
    }, LOOK_MS)
    return () => {
      removeEventListener('keydown', press, true)
      clearInterval(timer)
    }
  }, [value, shown])
  return shown
}

function isHalfTyped(): boolean {
  const field = document.activeElement
  return (
    (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
    field.closest('main') !== null &&
    field.value !== ''
  )
}
