// What is read aloud. Outcomes are polite and wait for each other; refusals and questions are not.
// The words of a burst are joined, or a screen reader would be minutes behind the scanner.

type Listener = (polite: string, assertive: string) => void
const JOIN_MS = 400
const WORDS_MAX = 3

let listener: Listener = () => undefined
let polite: string[] = []
let assertive: string[] = []
let timer: ReturnType<typeof setTimeout> | undefined

export function onAnnounced(next: Listener): () => void {
  listener = next
  return () => {
    listener = () => undefined
  }
}

export function announce(text: string, urgent = false) {
  ;(urgent ? assertive : polite).push(text)
  if (timer) return
  timer = setTimeout(() => {
    listener(joined(polite), joined(assertive))
    polite = []
    assertive = []
    timer = undefined
  }, JOIN_MS)
}

export function joined(texts: readonly string[]): string {
  if (texts.length <= WORDS_MAX) return texts.join('. ')
  // "Shelve, Stacks 1" and "Shelve, Stacks 2" count as two of "Shelve".
  const counts = new Map<string, number>()
  for (const text of texts) {
    const head = text.split(/[,،]/, 1)[0] ?? text
    counts.set(head, (counts.get(head) ?? 0) + 1)
  }
  return [...counts].map(([head, count]) => `${count} ${head}`).join(', ')
}
