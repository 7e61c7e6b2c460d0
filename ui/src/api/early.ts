// Answers that public/look.js asked for before the client was there. Each is taken once; after a change of the person
// they are nobody's.

declare global {
  interface Window {
    octavoEarly?: Record<string, Promise<Response> | undefined>
  }
}

export function takeEarly(url: string): Promise<Response> | undefined {
  const all = globalThis.window?.octavoEarly
  const found = all?.[url]
  if (all) all[url] = undefined
  return found
}

export function forgetEarly() {
  if (globalThis.window) window.octavoEarly = undefined
}
