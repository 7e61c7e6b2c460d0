// A scan that was made without the server, and what became of it.
import type { Answers, ItemFacts, Outcome, Question, Refusal } from '#/desk/types'

export type EntryKind = 'checkOut' | 'inHouse' | 'checkIn'

/** Written once, at the scan. */
export interface Entry {
  version: 1
  /** Made here; the server does the act once for each id. */
  id: string
  kind: EntryKind
  /** When it was scanned, in milliseconds since 1970. */
  at: number
  itemBarcode: string
  userBarcode?: string
  proxyBarcode?: string
  tenant: string
  desk: { id: string; name: string }
  staff: { id: string; name: string }
  answers?: Answers
}

/**
 * `ready`: to be sent, again or for the first time, with these answers. `dropped`: somebody has decided
 * that it is not done.
 */
export interface Result {
  id: string
  state: 'ready' | 'accepted' | 'refused' | 'dropped'
  at: number
  answers?: Answers
  item?: ItemFacts
  outcome?: Outcome
  refusal?: Refusal
  /** What staff have to answer before it can be done. */
  question?: Question
  /** Why it was dropped. */
  why?: string
}

/** `kept`: waits for the server. `aside`: a return that lies on the pile until somebody checks it in. */
export type KeptState = 'kept' | 'aside' | 'accepted' | 'refused' | 'dropped'

export interface Kept {
  entry: Entry
  state: KeptState
  result?: Result
  /** Counts the scans of this computer, from 1. */
  number: number
}

export function stateOf(entry: Entry, result: Result | undefined): KeptState {
  if (result && result.state !== 'ready') return result.state
  return entry.kind === 'checkIn' && !result ? 'aside' : 'kept'
}
