// Whether a figure is a hand's answer or the first of a barcode. Time that passes without a further key does not
// tell: scanner, cable, browser or page may stand still for longer than any wait. The key itself does. A scanner
// lets it go after one report of its bus (2 to 10 ms, below 20 in any case), a finger after 50 to 120 and never
// before 30; both times are those of the events, which hold however late the page hears of them.
// A long hold alone is not enough: where a scanner stands still between pressing and letting go, its next
// figures follow at once; so silence after the release is asked for, too, and time in which the page itself stood still
// does not count as silence. A key held until it repeats is a hand's, and answers when it is let go. A
// release that never comes (focus went to another window) answers nothing. Keys of touch keyboards,
// dictation and remote control have no length and never answer: the buttons are there, and Alt and the
// figure, which no scanner sends and which needs none of this.
import { isCharacter } from './run'

const HAND_MS = 30
/** From pressing to the answer: a second figure in this time makes both typing. */
const ARM_MS = 300
/** From letting go to the answer, at least. */
const QUIET_MS = 100
/** A timer that is so late was kept up: keys may wait behind it. */
const LATE_MS = 50

interface Held {
  key: string
  code: string
  at: number
}

export class HeldKey {
  private held: Held | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly onArm: (key: string | undefined) => void
  private readonly onAnswer: (key: string) => void

  constructor(onArm: (key: string | undefined) => void, onAnswer: (key: string) => void) {
    this.onArm = onArm
    this.onAnswer = onAnswer
  }

  arm(event: KeyboardEvent) {
    this.held = { key: event.key, code: event.code, at: event.timeStamp }
    this.onArm(event.key)
  }

  /** Any key that is pressed. True where it only repeats the one that is held. */
  press(event: KeyboardEvent): boolean {
    const { held } = this
    if (!held) return false
    if (event.repeat && event.code === held.code && !this.timer) return true
    this.drop()
    return false
  }

  /** Any key that is let go; also a scanner's, which the capture keeps from those who listen to presses. */
  release(event: KeyboardEvent) {
    const { held } = this
    // Shift goes first where figures need it, as on French keyboards, and the key is then called otherwise.
    if (!held || !isCharacter(event)) return
    const length = event.timeStamp - held.at
    if (event.code !== held.code || this.timer || length < HAND_MS) this.drop()
    else this.settle(Math.max(ARM_MS - length, QUIET_MS))
  }

  drop() {
    if (!this.held) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.held = undefined
    this.onArm(undefined)
  }

  private settle(wait: number) {
    const due = performance.now() + wait
    this.timer = setTimeout(() => {
      const key = this.held?.key
      if (performance.now() - due > LATE_MS) return this.settle(QUIET_MS)
      this.drop()
      if (key) this.onAnswer(key)
    }, wait)
  }
}
