// Whether the server answers. After a request without answer it is asked every few seconds.

const AGAIN_MS = 4000

class Connection {
  private away = false
  private listeners = new Set<() => void>()
  private timer: ReturnType<typeof setTimeout> | undefined

  isAway = () => this.away

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  lost() {
    this.became(true)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.ask(), AGAIN_MS)
  }

  found() {
    if (this.away) this.became(false)
    clearTimeout(this.timer)
  }

  private async ask() {
    try {
      const answer = await fetch('/_/version', {
        cache: 'no-store',
        signal: AbortSignal.timeout(AGAIN_MS),
      })
      // A proxy before a dead server answers 502 to 504.
      if (answer.status < 500) this.found()
      else this.lost()
    } catch {
      this.lost()
    }
  }

  private became(away: boolean) {
    if (this.away === away) return
    this.away = away
    for (const listener of this.listeners) listener()
  }
}

export const connection = new Connection()
