// The list of scans of one desk session and the queue that asks about them. A scan becomes a row at once;
// the queue asks in order; a question waits in its row while later scans go on. Nothing is lost when the
// server is away or the log-in expires: such a scan waits and is asked again.
import { failureOf } from '#/api/errors'
import { readSession, writeSession } from './store'
import type { Answered, Answers, Modifiers, Scan } from './types'

export type Ask = (scan: Scan) => Promise<Answered>

export interface Options {
  /** Key of the stored session: kind, person, desk. */
  key: string
  ask: Ask
  /** How many scans may be asked at the same time; scans of one barcode never are. */
  width: number
  onAnswered?: (scan: Scan) => void
}

const AGAIN_MS = 3000
const KEPT_MAX = 500
const KEEP_MS = 50

export const NO_MODIFIERS: Modifiers = {
  printAtOnce: false,
  amnesty: false,
  ignoreHolds: false,
  inHouse: false,
}

export interface Snapshot {
  /** Newest first. */
  scans: readonly Scan[]
  startedAt: number
  modifiers: Modifiers
  patron: string | undefined
  /** The last scan that was answered, for the stage. */
  last: Scan | undefined
}

export class DeskSession {
  private scans: Scan[] = []
  private startedAt = Date.now()
  private modifiers: Modifiers = NO_MODIFIERS
  private patron: string | undefined
  private lastId: string | undefined
  private active = new Set<string>()
  private listeners = new Set<() => void>()
  private current: Snapshot = this.made()
  private again: ReturnType<typeof setTimeout> | undefined
  private writing: ReturnType<typeof setTimeout> | undefined
  private stopped = false
  /** Nothing is kept before it is known what an earlier visit left. */
  private keptAs: string | undefined
  private readonly options: Options

  constructor(options: Options) {
    this.options = options
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
  snapshot = () => this.current

  /** Reads what an earlier visit left under this name; what follows is kept there. */
  async restore(key = this.options.key): Promise<void> {
    const kept = await readSession(key)
    this.keptAs = key
    globalThis.addEventListener?.('pagehide', this.write)
    if (!kept) {
      this.keep()
      return
    }
    // Scans made while this was read come after those of the earlier visit.
    this.scans = [...kept.scans.map(resumed), ...this.scans]
    this.startedAt = kept.startedAt
    this.modifiers = kept.modifiers ?? NO_MODIFIERS
    this.patron = kept.patron
    this.lastId = this.scans.findLast(
      (scan) => scan.state === 'done' || scan.state === 'refused',
    )?.id
    this.changed()
    this.pump()
  }

  scan = (barcode: string, extra: Partial<Pick<Scan, 'answers' | 'proxyBarcode'>> = {}): Scan => {
    const scan: Scan = {
      id: crypto.randomUUID(),
      barcode,
      at: Date.now(),
      state: 'waiting',
      answers: {},
      questions: [],
      modifiers: this.modifiers,
      ...extra,
    }
    this.scans.push(scan)
    this.changed()
    this.pump()
    return scan
  }

  /** Answers the scan's first question; the next one follows, or the server is asked again. */
  answer(id: string, answers: Partial<Answers>) {
    this.update(id, (scan) => {
      const questions = scan.questions.slice(1)
      return {
        ...scan,
        questions,
        answers: merged(scan.answers, answers),
        state: questions.length ? 'question' : 'waiting',
      }
    })
    this.pump()
  }

  /**
   * Gives the scans away that wait for the server; somebody else goes on with them. None while one is still
   * being asked: those after it mean something only after it, as items do after a card.
   */
  takeWaiting(): Scan[] {
    if (this.scans.some((scan) => scan.state === 'asking')) return []
    const taken = this.scans.filter((scan) => scan.state === 'waiting')
    if (!taken.length) return taken
    this.scans = this.scans.filter((scan) => !taken.includes(scan))
    this.changed()
    return taken
  }

  /** Leaves the question for later. */
  leave(id: string) {
    this.update(id, (scan) => ({ ...scan, state: 'left' }))
  }

  reopen(id: string) {
    this.update(id, (scan) => (scan.state === 'left' ? { ...scan, state: 'question' } : scan))
  }

  update(id: string, change: (scan: Scan) => Scan) {
    this.scans = this.scans.map((scan) => (scan.id === id ? change(scan) : scan))
    this.changed()
  }

  setModifiers = (modifiers: Modifiers) => {
    this.modifiers = modifiers
    this.changed()
  }

  setPatron(barcode: string | undefined) {
    this.patron = barcode
    this.changed()
  }

  /** The next patron stands at the desk: the list of the one before goes, what is still asked stays. */
  nextPatron(barcode: string | undefined) {
    this.scans = this.scans.filter((scan) => scan.state === 'waiting' || scan.state === 'asking')
    this.startedAt = Date.now()
    this.lastId = undefined
    this.setPatron(barcode)
  }

  /** Ends the session: the list begins anew. Scans that are still asked stay. */
  end(): Scan[] {
    const ended = this.scans.filter((scan) => scan.state !== 'waiting' && scan.state !== 'asking')
    this.scans = this.scans.filter((scan) => scan.state === 'waiting' || scan.state === 'asking')
    this.startedAt = Date.now()
    this.modifiers = { ...this.modifiers, backdate: undefined }
    this.patron = undefined
    this.lastId = undefined
    this.changed()
    return ended
  }

  stop() {
    this.stopped = true
    clearTimeout(this.again)
    globalThis.removeEventListener?.('pagehide', this.write)
    if (this.writing) this.write()
  }

  private pump() {
    if (this.stopped) return
    for (const scan of this.scans) {
      if (this.active.size >= this.options.width) return
      if (scan.state !== 'waiting' || this.busy(scan.barcode)) continue
      void this.ask(scan)
    }
  }

  private busy(barcode: string): boolean {
    return this.scans.some((scan) => scan.barcode === barcode && this.active.has(scan.id))
  }

  private async ask(scan: Scan) {
    this.active.add(scan.id)
    this.update(scan.id, (one) => ({ ...one, state: 'asking' }))
    try {
      this.answered(scan.id, await this.options.ask(scan))
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'unreachable' || failure.kind === 'expired') {
        this.update(scan.id, (one) => ({ ...one, state: 'waiting' }))
        this.later()
      } else {
        const text =
          failure.kind === 'forbidden'
            ? (failure.permission ?? '')
            : 'text' in failure
              ? failure.text
              : ''
        const reason = failure.kind === 'forbidden' ? 'desk.notAllowed' : 'desk.serverFault'
        this.answered(scan.id, { state: 'refused', refusal: { reason, detail: text } })
      }
    } finally {
      this.active.delete(scan.id)
      if (!this.again) this.pump()
    }
  }

  private answered(id: string, answer: Answered) {
    if (answer.state !== 'question' && !answer.isCard) this.lastId = id
    this.update(id, (scan) => ({ ...scan, ...answer }))
    const scan = this.scans.find((one) => one.id === id)
    if (scan) this.options.onAnswered?.(scan)
  }

  private later() {
    this.again ??= setTimeout(() => {
      this.again = undefined
      this.pump()
    }, AGAIN_MS)
  }

  private made(): Snapshot {
    return {
      scans: this.scans.toReversed(),
      startedAt: this.startedAt,
      modifiers: this.modifiers,
      patron: this.patron,
      last: this.scans.find((scan) => scan.id === this.lastId),
    }
  }

  private changed() {
    this.current = this.made()
    for (const listener of this.listeners) listener()
    this.keep()
  }

  /** After the next frame: to copy hundreds of scans would hold up the row of the last one. */
  private keep() {
    this.writing ??= setTimeout(this.write, KEEP_MS)
  }

  private write = () => {
    clearTimeout(this.writing)
    this.writing = undefined
    if (!this.keptAs) return
    void writeSession(this.keptAs, {
      version: 1,
      startedAt: this.startedAt,
      scans: this.scans.slice(-KEPT_MAX),
      modifiers: this.modifiers,
      patron: this.patron,
    })
  }
}

/** A scan that was being asked when the page closed is asked again: both acts can be repeated safely. */
function resumed(scan: Scan): Scan {
  return scan.state === 'asking' ? { ...scan, state: 'waiting' } : scan
}

function merged(before: Answers, next: Partial<Answers>): Answers {
  const confirmed = [...(before.confirmed ?? []), ...(next.confirmed ?? [])]
  return { ...before, ...next, ...(confirmed.length ? { confirmed } : {}) }
}
