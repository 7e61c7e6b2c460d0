// Gives key presses to the registry. Listens while events go up, so that a widget which uses a key
// itself (a menu, a list) keeps it by stopping the event.
import { useEffect } from 'react'
import { keysOf } from '#/keys/profiles'
import { registry } from '#/keys/registry'

export function useKeyListener() {
  useEffect(() => {
    registry.keysOf = keysOf
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      if (registry.press(event)) event.preventDefault()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
