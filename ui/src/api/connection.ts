// Whether the server answers. After a request without answer it is asked every few seconds. An absence
// that outlasts the first of these tries is no blip: then the desk works offline.

const AGAIN_MS = 4000
const BLIP_MS = 3000

export interface ConnectionState {
  /** The last request had no answer. */
  away: boolean
  /** The desk keeps scans by itself. */
  offline: boolean
  since: number
  nextAt: number
}

class Connection {
  private state: ConnectionState = { away: false, offline: false, since: 0, nextAt: 0 }
  /** A page that never had an answer begins offline. */
  private heard = false
  private listeners = new Set<() => void>()
  private timer: ReturnType<typeof setTimeout> | undefined

  snapshot = () => this.state
  isOffline = () => this.state.offline

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  lost() {
    const now = Date.now()
    const since = this.state.away ? this.state.since : now
    const offline = this.state.offline || !this.heard || now - since >= BLIP_MS
    this.became({ away: true, offline, since, nextAt: now + AGAIN_MS })
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.ask(), AGAIN_MS)
  }

  found() {
    this.heard = true
    clearTimeout(this.timer)
    if (this.state.away) this.became({ away: false, offline: false, since: 0, nextAt: 0 })
  }

  ask = async () => {
    try {
      const answer = await fetch('/_/version', {
        cache: 'no-store',
        signal: AbortSignal.timeout(AGAIN_MS),
      })
      if (isAnswer(answer)) this.found()
      else this.lost()
    } catch {
      this.lost()
    }
  }

  private became(state: ConnectionState) {
    this.state = state
    for (const listener of this.listeners) listener()
  }
}

/** A proxy before a dead server answers 502 to 504. */
export const isAnswer = ({ status }: Response) => status < 502 || status > 504

export const connection = new Connection()
