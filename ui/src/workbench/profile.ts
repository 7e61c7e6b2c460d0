// A profile of the running server: stacks of functions with a number each, one a line, outermost first.
import { ApiFailure, failureFrom } from '#/api/errors'
import { session } from '#/api/session'

export type ProfileKind = 'cpu' | 'allocated' | 'held'

/** The server samples for that long before it answers: no time-out, but the person can stop it. */
export async function takeProfile(kind: ProfileKind, seconds: number, signal: AbortSignal) {
  await session.ready(signal)
  const path =
    kind === 'cpu'
      ? `/_/octavo/profile/cpu?seconds=${seconds}`
      : `/_/octavo/profile/heap?seconds=${seconds}&count=${kind}`
  const answer = await fetch(path, {
    signal,
    credentials: 'same-origin',
    headers: { 'X-Requested-With': 'octavo', ...session.tenantHeader() },
  })
  const text = await answer.text()
  if (!answer.ok)
    throw new ApiFailure(failureFrom(answer.status, text, answer.headers.get('content-type') ?? ''))
  return text
}

export interface Frame {
  name: string
  /** Samples or bytes, with everything that it called. */
  total: number
  /** Of the function itself. */
  self: number
  calls: Map<string, Frame>
}

const frame = (name: string): Frame => ({ name, total: 0, self: 0, calls: new Map() })

export function treeOf(folded: string): Frame {
  const root = frame('')
  for (const line of folded.split('\n')) {
    const cut = line.lastIndexOf(' ')
    const count = Number(line.slice(cut + 1))
    if (cut < 1 || !Number.isFinite(count)) continue
    let at = root
    root.total += count
    for (const name of line.slice(0, cut).split(';')) {
      let next = at.calls.get(name)
      if (!next) {
        next = frame(name)
        at.calls.set(name, next)
      }
      next.total += count
      at = next
    }
    at.self += count
  }
  return root
}

export interface Share {
  name: string
  self: number
  total: number
}

/** Functions by their own share; a function that calls itself is counted once in the total. */
export function functionsOf(root: Frame): Share[] {
  const shares = new Map<string, Share>()
  const walk = (at: Frame, above: ReadonlySet<string>) => {
    let open = above
    if (at.name) {
      const share = shares.get(at.name) ?? { name: at.name, self: 0, total: 0 }
      share.self += at.self
      if (!above.has(at.name)) {
        share.total += at.total
        open = new Set(above).add(at.name)
      }
      shares.set(at.name, share)
    }
    for (const next of at.calls.values()) walk(next, open)
  }
  walk(root, new Set())
  return [...shares.values()].sort((one, other) => other.self - one.self)
}
