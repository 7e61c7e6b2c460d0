// The keys of the oldest question: 1 to 3 and Esc when focus is on its card or nothing is typed, Alt and
// a figure always. What makes a figure an answer and not a part of a barcode: heldKey.ts.
import { type RefObject, useEffect, useRef, useState } from 'react'
import { isEditing } from '#/keys/combos'
import { setValue } from './capture'
import { HeldKey } from './heldKey'
import { beginsRun, onPress } from './run'

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
  useEffect(() => {
    if (!list) return
    const known = new Set(list.split(','))
    const held = new HeldKey(setArmed, (key) => {
      // The figure was typed into the scan field meanwhile.
      if (field.current?.value === key) setValue(field.current, '')
      latest.current(key)
    })
    const press = (event: KeyboardEvent) => {
      if (held.press(event)) return event.preventDefault()
      if (event.ctrlKey || event.metaKey || event.defaultPrevented || event.repeat) return
      const digit = event.altKey ? /^Digit(\d)$/.exec(event.code)?.[1] : event.key
      const key = digit === 'Escape' ? 'Esc' : digit
      if (!key || !known.has(key)) return
      if (event.altKey) {
        event.preventDefault()
        latest.current(key)
      } else if (!isMeantForOthers(event, field.current)) {
        // Afterwards: for the page's own Esc the question is still open.
        if (key === 'Esc') setTimeout(() => latest.current(key))
        else if (beginsRun(event)) held.arm(event)
      }
    }
    // The second figure of a scanner is taken before it arrives here.
    const ignore = onPress((event) => void held.press(event))
    const release = (event: KeyboardEvent) => held.release(event)
    const drop = () => held.drop()
    window.addEventListener('keydown', press)
    // A scanner's keys may be taken before they arrive here, their releases are not.
    window.addEventListener('keyup', release, true)
    window.addEventListener('blur', drop)
    return () => {
      window.removeEventListener('keydown', press)
      window.removeEventListener('keyup', release, true)
      window.removeEventListener('blur', drop)
      ignore()
      held.drop()
    }
  }, [list, field])
  return armed
}

/** It is typed somewhere, or a dialog, menu or list has it. */
function isMeantForOthers(event: KeyboardEvent, field: HTMLInputElement | null): boolean {
  const { target } = event
  if (isEditing(target) && (target !== field || field?.value)) return true
  const closed = '[role="dialog"], [role="menu"], [role="combobox"]'
  return target instanceof Element && target.closest(closed) !== null
}
