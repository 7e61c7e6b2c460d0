// The keys of the oldest question: 1 to 3 and Esc when focus is on its card or nothing is typed, Alt and
// a figure always. A pressed key waits 300 ms: another key in that time makes both typing, also
// the figures of a scanner, which are kept from every listener but are heard when they are released.
import { type RefObject, useEffect, useRef, useState } from 'react'
import { isEditing } from '#/keys/combos'
import { setValue } from './capture'

const ARM_MS = 300

interface Options {
  /** Figures that answer; "Esc" leaves the question. */
  keys: readonly string[]
  onKey: (key: string) => void
  field: RefObject<HTMLInputElement | null>
}

/** The key that is armed, for the button to show. */
export function useCardKeys({ keys, onKey, field }: Options): string | undefined {
  const [armed, setArmed] = useState<string>()
  const latest = useRef(onKey)
  latest.current = onKey
  const list = keys.join()
  const stop = useRef<() => void>(undefined)
  const armedKey = useRef<string>(undefined)
  useEffect(() => {
    const release = (event: KeyboardEvent) => {
      if (event.key !== armedKey.current) stop.current?.()
    }
    window.addEventListener('keyup', release, true)
    return () => window.removeEventListener('keyup', release, true)
  }, [])
  useEffect(() => {
    if (!list) return
    const known = new Set(list.split(','))
    let timer: ReturnType<typeof setTimeout> | undefined
    const disarm = () => {
      clearTimeout(timer)
      timer = undefined
      armedKey.current = undefined
      setArmed(undefined)
    }
    stop.current = disarm
    const press = (event: KeyboardEvent) => {
      if (timer) disarm()
      if (event.ctrlKey || event.metaKey || event.defaultPrevented || event.repeat) return
      const digit = event.altKey ? /^Digit(\d)$/.exec(event.code)?.[1] : event.key
      const key = digit === 'Escape' ? 'Esc' : digit
      if (!key || !known.has(key)) return
      if (event.altKey) {
        event.preventDefault()
        latest.current(key)
        return
      }
      const typing =
        isEditing(event.target) && (event.target !== field.current || Boolean(field.current?.value))
      if (
        typing ||
        (event.target as Element | null)?.closest?.(
          '[role="dialog"], [role="menu"], [role="combobox"]',
        )
      )
        return
      armedKey.current = event.key
      setArmed(key)
      timer = setTimeout(
        () => {
          disarm()
          // The figure was typed into the scan field meanwhile.
          if (field.current?.value === key) setValue(field.current, '')
          latest.current(key)
        },
        key === 'Esc' ? 0 : ARM_MS,
      )
    }
    window.addEventListener('keydown', press)
    return () => {
      window.removeEventListener('keydown', press)
      clearTimeout(timer)
    }
  }, [list, field])
  return armed
}
