// Puts off what nobody waits for until hands rest: fetched or begun in the middle of a scanner's burst, it would hold
// up the keys of a slow machine.
import { lastPress } from '#/desk/run'

const REST_MS = 500
const LOOK_MS = 250
/** Busy or not: it is needed some time. */
const LATEST_MS = 10_000

/** Runs it after so long, once no key was pressed for a while; returns how to call it off. */
export function inPause(run: () => void, afterMs: number): () => void {
  let pressedAt = Number.NEGATIVE_INFINITY
  const press = () => {
    pressedAt = performance.now()
  }
  const latest = performance.now() + LATEST_MS
  addEventListener('keydown', press, true)
  let timer = setTimeout(look, afterMs)
  function look() {
    const now = performance.now()
    const rest = now - Math.max(pressedAt, lastPress())
    if (rest < REST_MS && now < latest) timer = setTimeout(look, LOOK_MS)
    else {
      stop()
      run()
    }
  }
  function stop() {
    clearTimeout(timer)
    removeEventListener('keydown', press, true)
  }
  return stop
}
