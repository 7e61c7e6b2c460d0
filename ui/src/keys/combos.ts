// Key combinations as text: "Mod+K", "Alt+E", "F9", "g i" (one after the other), "?".

export interface Press {
  key: string
  code?: string
  altKey?: boolean
  ctrlKey?: boolean
  metaKey?: boolean
  shiftKey?: boolean
}

/** The combination of one key press, in the order Ctrl, Alt, Shift. */
export function comboOf(event: Press): string {
  const parts: string[] = []
  if (event.ctrlKey || event.metaKey) parts.push('Mod')
  if (event.altKey) parts.push('Alt')
  // With Alt a Mac or an Arabic layout gives another character; the key's place decides then.
  const letter = /^Key([A-Z])$/.exec(event.code ?? '')?.[1]
  const digit = /^Digit(\d)$/.exec(event.code ?? '')?.[1]
  const modified = event.altKey || event.ctrlKey || event.metaKey
  const key = modified && (letter ?? digit) ? (letter ?? digit ?? '') : event.key
  const isPrintable = [...key].length === 1
  // "?" is Shift and another key, different on each layout: the character alone counts.
  if (event.shiftKey && (!isPrintable || modified)) parts.push('Shift')
  parts.push(isPrintable ? (modified ? key.toUpperCase() : key) : named(key))
  return parts.join('+')
}

const named = (key: string): string => (key === 'Escape' ? 'Esc' : key)

/** Whether a combination would be typed into a field. */
export const isTyped = (combo: string): boolean =>
  [...(combo.split(' ')[0] ?? '')].length === 1 || combo === 'Space'

export function isEditing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit)$/.test(target.type)
}
