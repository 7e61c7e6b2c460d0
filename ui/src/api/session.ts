// Who is logged in, in all tabs of this browser. Requests ask `ready` before they start; a request that
// meets an expired session calls `renew`, which refreshes by cookie or waits for the re-login card.
import { forgetEarly } from './early'

export type SessionState = 'unknown' | 'open' | 'expired' | 'closed'
type Message = { kind: 'opened'; until?: string } | { kind: 'closed' } | { kind: 'expired' }

const TENANT = 'octavo.tenant'
/** Set while somebody is logged in: without it no request is sent only to learn that nobody is. */
const MARK = 'octavo.loggedIn'
/** Whose session it was last: public/look.js asks for his permissions before the server has said who is here. */
const PERSON = 'octavo.person'
/** The access cookie is renewed this long before its end. */
const LEAD_MS = 60_000

class Session {
  state: SessionState = 'unknown'
  private listeners = new Set<() => void>()
  private waiting: (() => void)[] = []
  private renewing: Promise<boolean> | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private channel =
    typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('octavo.session')

  constructor() {
    this.channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      forgetEarly()
      if (data.kind === 'opened') this.became('open', data.until)
      // Another tab logged out: this one must not go on with the person's name on it.
      if (data.kind === 'closed') this.became('closed')
      if (data.kind === 'expired' && this.state === 'open') this.became('expired')
    })
  }

  get tenant(): string {
    return read(TENANT) ?? ''
  }

  set tenant(value: string) {
    write(TENANT, value)
  }

  /** The id of the user, once the server has named him. */
  set person(id: string) {
    if (read(PERSON) !== id) write(PERSON, id)
  }

  /** Whether a cookie may be there; scripts cannot see it. */
  get isLikely(): boolean {
    return read(MARK) === '1'
  }

  tenantHeader(): Record<string, string> {
    return this.tenant ? { 'X-Okapi-Tenant': this.tenant } : {}
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  snapshot = () => this.state

  /** Resolves at once unless the person has to log in again first. */
  ready(signal?: AbortSignal): Promise<void> {
    return this.state === 'expired' ? this.wait(signal) : Promise.resolve()
  }

  opened(until?: string) {
    forgetEarly()
    this.became('open', until)
    this.channel?.postMessage({ kind: 'opened', until } satisfies Message)
  }

  /** The cookie was found to be good; other tabs know as much themselves. */
  found() {
    this.became('open')
  }

  closed() {
    forgetEarly()
    this.became('closed')
    this.channel?.postMessage({ kind: 'closed' } satisfies Message)
  }

  /** After a 401: refreshed by cookie, or by the person. */
  async renew(signal?: AbortSignal): Promise<void> {
    // Several tabs and requests meet the end at the same time; one asks, the others wait for it.
    this.renewing ??= this.refreshed().finally(() => {
      this.renewing = undefined
    })
    if (await this.renewing) return
    if (this.state === 'open') {
      this.became('expired')
      this.channel?.postMessage({ kind: 'expired' } satisfies Message)
    }
    if (this.state === 'expired') await this.wait(signal)
  }

  private async refreshed(): Promise<boolean> {
    const ask = async () => {
      const answer = await fetch('/authn/refresh', {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'X-Requested-With': 'octavo', ...this.tenantHeader() },
      })
      if (!answer.ok) return false
      const { accessTokenExpiration } = (await answer.json()) as { accessTokenExpiration?: string }
      this.opened(accessTokenExpiration)
      return true
    }
    try {
      // A refresh token is good for one use, so tabs take turns.
      return await (navigator.locks?.request('octavo.refresh', ask) ?? ask())
    } catch {
      return false
    }
  }

  private wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push(resolve)
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }

  private became(state: SessionState, until?: string) {
    this.state = state
    if (state === 'open') write(MARK, '1')
    if (state === 'closed') for (const key of [MARK, PERSON]) write(key, '')
    clearTimeout(this.timer)
    if (state === 'open') {
      const left = until ? Date.parse(until) - Date.now() - LEAD_MS : Number.NaN
      if (left > 0) this.timer = setTimeout(() => this.refreshed(), left)
      for (const go of this.waiting.splice(0)) go()
    }
    for (const listener of this.listeners) listener()
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string) {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Forbidden: the log-in page asks again next time.
  }
}

export const session = new Session()
