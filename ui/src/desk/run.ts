// Characters that follow each other closely are one run: a barcode, or typing. Heard before the capture takes a
// scanner's figures away, and by the keys' own times: a page that stood still hears them late.
import { RUN_MS } from './capture'

let first: KeyboardEvent | undefined
let lastAt = Number.NEGATIVE_INFINITY
let pressedAt = Number.NEGATIVE_INFINITY
const hearers = new Set<(event: KeyboardEvent) => void>()

/** To be called with each key that is pressed, before anything else hears it. */
export function follow(event: KeyboardEvent) {
  pressedAt = performance.now()
  for (const hear of hearers) hear(event)
  if (!isCharacter(event) || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.timeStamp - lastAt > RUN_MS) first = event
  lastAt = event.timeStamp
}

/** Hears each key that is pressed at a desk, also one that the capture takes. */
export function onPress(hear: (event: KeyboardEvent) => void): () => void {
  hearers.add(hear)
  return () => void hearers.delete(hear)
}

/** When any key was pressed at a desk, also one that the capture has taken from those who listen to presses. */
export const lastPress = () => pressedAt

/** Whether no character came shortly before this one. */
export const beginsRun = (event: KeyboardEvent): boolean => event === first

export const isCharacter = (event: KeyboardEvent): boolean => [...event.key].length === 1
