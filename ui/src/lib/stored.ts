// Values in localStorage with a version: a reader gets the current shape or the default, never an old
// or foreign one. Each value lists the steps that lift older versions.

type Check<T> = (value: unknown) => value is T
type Step = (old: unknown) => unknown

export interface Stored<T> {
  read(): T
  write(value: T): void
  subscribe(listener: () => void): () => void
}

interface Description<T> {
  name: string
  version: number
  fallback: T
  check: Check<T>
  /** steps[n] lifts version n to n + 1. */
  steps?: Record<number, Step>
}

export function stored<T>({
  name,
  version,
  fallback,
  check,
  steps = {},
}: Description<T>): Stored<T> {
  const key = `octavo.${name}`
  const listeners = new Set<() => void>()
  let text: string | null | undefined
  let value = fallback

  const load = (): T => {
    const now = storage()?.getItem(key) ?? null
    // The same object for the same text: useSyncExternalStore compares by identity.
    if (now !== text) {
      text = now
      value = lifted(now, version, steps, check) ?? fallback
    }
    return value
  }
  globalThis.addEventListener?.('storage', (event) => {
    if (event.key === key) for (const listener of listeners) listener()
  })
  return {
    read: load,
    write(next) {
      value = next
      text = JSON.stringify({ version, value: next })
      try {
        storage()?.setItem(key, text)
      } catch {
        // Full or forbidden: the value holds for this visit.
      }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function storage(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

function lifted<T>(
  text: string | null,
  version: number,
  steps: Record<number, Step>,
  check: Check<T>,
) {
  if (!text) return undefined
  try {
    const found = JSON.parse(text) as { version?: unknown; value?: unknown }
    if (typeof found.version !== 'number' || found.version > version) return undefined
    let value = found.value
    for (let at = found.version; at < version; at += 1) {
      const step = steps[at]
      if (!step) return undefined
      value = step(value)
    }
    return check(value) ? value : undefined
  } catch {
    return undefined
  }
}
