// A scan and what becomes of it. Texts are ids with values, so a stored session shows in any language.
import type { TextId } from '#/i18n/text'
import type { IconName } from '#/ui/icons'
import type { Kind } from '#/ui/kinds'
import type { Tone } from './sounds'

/** What the desk shows of an item. */
export interface ItemFacts {
  id?: string
  instanceId?: string
  holdingsRecordId?: string
  title: string
  shelfMark?: string
  material?: string
  location?: string
  contributor?: string
}

export interface Outcome {
  kind: Kind
  icon: IconName
  /** What to do, as a word. */
  word: TextId
  /** Where: a name from the data, isolated when shown. */
  place?: string
  /** For whom and until when, on the stage. */
  patron?: string
  until?: string
  dueDate?: string
  policy?: string
  tone: Tone
}

export interface Answers {
  claimedReturned?: 'Found by library' | 'Returned by patron'
  /** Questions that were answered with "go on". */
  confirmed?: ('status' | 'pieces' | 'notes')[]
  override?: Override
}

export interface Override {
  blocks: BlockName[]
  comment: string
  dueDate?: string
}

export type BlockName = 'patronBlock' | 'itemLimitBlock' | 'itemNotLoanableBlock'

export type Question =
  | { kind: 'claimedReturned'; patron?: string; since?: string; owed?: number }
  | { kind: 'status'; status: string; suppressed: boolean }
  | { kind: 'pieces'; count?: string; description?: string; missing?: string; missingWhat?: string }
  | { kind: 'notes'; notes: string[] }
  | { kind: 'override'; blocks: BlockName[]; reasons: string[]; missing: string[] }

export type QuestionKind = Question['kind']

export interface Refusal {
  /** Known reasons have words of ours, others the server's. */
  reason: TextId | undefined
  detail: string
}

export interface Slip {
  kind: 'hold' | 'transit' | 'delivery'
  context: Record<string, unknown>
  printed: boolean
}

export type ScanState = 'waiting' | 'asking' | 'question' | 'left' | 'done' | 'refused'

export interface Scan {
  id: string
  barcode: string
  /** Milliseconds since 1970. */
  at: number
  state: ScanState
  answers: Answers
  questions: Question[]
  item?: ItemFacts
  outcome?: Outcome
  refusal?: Refusal
  owed?: number
  loanId?: string
  patronId?: string
  patronBarcode?: string
  /** Who stood at the desk for the patron. */
  proxyBarcode?: string
  /** The scan was a patron's card: it is no row of the list. */
  isCard?: boolean
  slip?: Slip
  /** Backdate and other modifiers as they were when it was scanned. */
  modifiers?: Modifiers
}

export interface Modifiers {
  /** ISO time of the returns; undefined is now. */
  backdate?: string
  printAtOnce: boolean
  amnesty: boolean
  ignoreHolds: boolean
  inHouse: boolean
}

/** What asking about a scan ends with; what is left out stays as it was. */
export type Answered = Partial<Omit<Scan, 'id' | 'barcode' | 'at' | 'state'>> & {
  state: 'question' | 'done' | 'refused'
}
