// Tells a scanner from hands. A scanner types its figures a few milliseconds apart and ends with Enter or
// Tab; such a burst goes to the desk wherever focus is, leaves no figure in the field that had focus, and
// its Enter presses no button. A truncated barcode would be worse than a missed one: so a burst may
// stutter, in the scan field the field's own content counts, and what turns out to be typing is given back.
// The scan field gets a scanner's figures together: each on its own costs a slow machine ten times as much. Where Enter
// follows they are not even shown there.

/** A gap that only machines keep. */
export const FAST_MS = 35
/** A longer gap ends a run: a scanner behind a slow cable stutters, a person pauses. */
export const RUN_MS = 300
/** After so many fast gaps in a row a run is taken for a scanner. */
const CERTAIN = 3
/** In the scan field, where hands lose nothing but a moment by it. */
const LIKELY = 1
const LEAST = 3
/** So long the scan field's figures are kept together, from the last one. */
const TOGETHER_MS = 50

type Field = HTMLInputElement | HTMLTextAreaElement

interface Snapshot {
  field: Field
  value: string
  start: number | null
  end: number | null
}

export interface CaptureOptions {
  onScan: (barcode: string) => void
  /** The scan field: it collects its own figures, whatever their rhythm. */
  isScanField: (element: Element | null) => boolean
}

export class ScanCapture {
  private text = ''
  private fast = 0
  private inRow = 0
  private lastAt = Number.NEGATIVE_INFINITY
  private before: Snapshot | undefined
  private certain = false
  private timer: ReturnType<typeof setTimeout> | undefined
  /** Figures that the scan field has not got yet. */
  private owed = ''
  private settling: ReturnType<typeof setTimeout> | undefined
  /** Keys that are down and that nothing else has heard of. */
  private readonly taken = new Set<string>()
  private readonly options: CaptureOptions

  constructor(options: CaptureOptions) {
    this.options = options
  }

  /** The same for keys that are let go: of what was taken nothing else hears. */
  release = (event: KeyboardEvent) => {
    if (this.taken.delete(event.code)) event.stopPropagation()
  }

  /** To be called in the capture phase, before any widget hears the key. */
  key = (event: KeyboardEvent) => {
    const isPlain = !(event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    const isFigure = isPlain && [...event.key].length === 1
    const field = document.activeElement
    if (field instanceof HTMLInputElement && this.options.isScanField(field)) {
      if (event.key !== 'Shift') this.collect(event, field, isFigure)
      return
    }
    if (!isPlain || event.key === 'Shift') return
    const gap = event.timeStamp - this.lastAt
    if (isFigure) this.figure(event, gap)
    else this.other(event, gap)
  }

  /** Whatever comes next finds the field as if each figure had been typed into it. */
  private collect(event: KeyboardEvent, field: HTMLInputElement, isFigure: boolean) {
    const isFast = isFigure && event.timeStamp - this.lastAt < FAST_MS && !event.repeat
    this.inRow = isFast ? this.inRow + 1 : 0
    this.lastAt = isFigure ? event.timeStamp : Number.NEGATIVE_INFINITY
    if (event.key === 'Enter' && this.owed && !(event.isComposing || event.repeat)) {
      this.take(event, field)
      return
    }
    if (this.inRow < LIKELY) {
      this.settle(field)
      return
    }
    this.swallow(event)
    this.owed += event.key
    clearTimeout(this.settling)
    this.settling = setTimeout(() => this.settle(field), TOGETHER_MS)
  }

  /** A scanner's Enter: the barcode goes to the desk without being laid out in the field first. */
  private take(event: KeyboardEvent, field: HTMLInputElement) {
    this.swallow(event)
    const { value, selectionStart, selectionEnd } = field
    const barcode =
      value.slice(0, selectionStart ?? value.length) +
      this.owed +
      value.slice(selectionEnd ?? value.length)
    clearTimeout(this.settling)
    this.owed = ''
    field.value = ''
    this.options.onScan(barcode.trim())
  }

  private settle(field: HTMLInputElement) {
    clearTimeout(this.settling)
    const { owed } = this
    this.owed = ''
    if (owed)
      field.setRangeText(
        owed,
        field.selectionStart ?? field.value.length,
        field.selectionEnd ?? field.value.length,
        'end',
      )
  }

  private figure(event: KeyboardEvent, gap: number) {
    if (gap > RUN_MS || event.repeat) this.begin()
    const isFast = gap < FAST_MS && this.text !== '' && !event.repeat
    this.inRow = isFast ? this.inRow + 1 : 0
    if (isFast) this.fast += 1
    this.text += event.key
    this.lastAt = event.timeStamp
    if (!this.certain && this.inRow >= CERTAIN) {
      this.certain = true
      // What slipped into the field before is taken out again.
      this.restore('')
    }
    if (!this.certain) return
    this.swallow(event)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.giveBack(), RUN_MS)
  }

  private other(event: KeyboardEvent, gap: number) {
    const { text, fast } = this
    const ends = event.key === 'Enter' || event.key === 'Tab'
    const isBurst = ends && gap < RUN_MS && text.length >= LEAST && fast * 2 >= text.length - 1
    if (isBurst) {
      // A short burst may have become certain only now.
      if (!this.certain) this.restore('')
      this.swallow(event)
      this.reset()
      this.options.onScan(text)
    } else {
      if (this.certain) this.giveBack()
      this.reset()
    }
  }

  /** It was typing after all: the field gets what was kept from it. */
  private giveBack() {
    this.restore(this.text)
    // The run is kept: keys may have waited in the queue of a busy page, and their own times go on.
    this.certain = false
    this.inRow = 0
  }

  private begin() {
    this.reset()
    const field = document.activeElement
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
    const { value, selectionStart, selectionEnd } = field
    this.before = { field, value, start: selectionStart, end: selectionEnd }
  }

  private reset() {
    clearTimeout(this.timer)
    this.text = ''
    this.fast = 0
    this.inRow = 0
    this.certain = false
    this.before = undefined
  }

  private swallow(event: KeyboardEvent) {
    event.preventDefault()
    event.stopImmediatePropagation()
    this.taken.add(event.code)
  }

  /** Sets the field back to what it was before the run, with `added` where the caret stood. */
  private restore(added: string) {
    const { before } = this
    if (!before) return
    const { field, value, start, end } = before
    const at = start ?? value.length
    setValue(field, value.slice(0, at) + added + value.slice(end ?? at))
    // Number and date fields have no selection.
    if (start !== null) field.setSelectionRange(at + added.length, at + added.length)
  }
}

/** React keeps its own record of the value; only the prototype's setter and an event reach it. */
export function setValue(field: Field, value: string) {
  if (field.value === value) return
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
