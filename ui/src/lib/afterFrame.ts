// Puts work off until the next frame is shown: what a key changed at once is seen before the rest is drawn.

/** A hidden page shows no frames, and a very slow one not in time. */
const LATEST_MS = 100

/** The function to ask by. Runs once for all times it was asked until then. */
export function afterFrame(run: () => void): () => void {
  let latest: ReturnType<typeof setTimeout> | undefined
  const now = () => {
    if (!latest) return
    clearTimeout(latest)
    latest = undefined
    run()
  }
  return () => {
    if (latest) return
    latest = setTimeout(now, LATEST_MS)
    // What is called with a frame runs before it is shown.
    requestAnimationFrame(() => setTimeout(now))
  }
}
