// Tells a scanner from hands. A scanner types its figures less than 35 ms apart and ends with Enter or
// Tab; such a burst goes to the desk wherever focus is, leaves no figure in the field that had focus,
// and its Enter presses no button.

export const GAP_MS = 35
/** Shorter bursts are taken for typing. */
const LEAST = 3

interface Snapshot {
  field: HTMLInputElement | HTMLTextAreaElement
  value: string
  start: number | null
  end: number | null
}

export class ScanCapture {
  private text = ''
  private lastAt = Number.NEGATIVE_INFINITY
  private before: Snapshot | undefined
  private readonly onScan: (barcode: string) => void

  constructor(onScan: (barcode: string) => void) {
    this.onScan = onScan
  }

  /** To be called in the capture phase, before any widget hears the key. */
  key = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const gap = event.timeStamp - this.lastAt
    const isFast = gap < GAP_MS
    if ([...event.key].length === 1) {
      if (!isFast || event.repeat) this.begin()
      this.text += event.key
      this.lastAt = event.timeStamp
      if (this.text.length >= LEAST && isFast && !event.repeat) {
        // Certainly a scanner: what slipped into the field before is taken out again.
        if (this.text.length === LEAST) this.restore()
        swallow(event)
      }
      return
    }
    if (event.key === 'Shift') return
    const ends = event.key === 'Enter' || event.key === 'Tab'
    const isBurst = ends && isFast && this.text.length >= LEAST
    const barcode = this.text
    this.text = ''
    this.before = undefined
    if (!isBurst) return
    swallow(event)
    this.onScan(barcode)
  }

  private begin() {
    this.text = ''
    const field = document.activeElement
    const holds = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    this.before = holds
      ? {
          field,
          value: field.value,
          start: selection(field)?.[0] ?? null,
          end: selection(field)?.[1] ?? null,
        }
      : undefined
  }

  private restore() {
    const { before } = this
    if (!before || before.field.value === before.value) return
    // React keeps its own record of the value; only the prototype's setter and an event reach it.
    const prototype =
      before.field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
    const setter = Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set
    setter?.call(before.field, before.value)
    before.field.dispatchEvent(new Event('input', { bubbles: true }))
    if (before.start !== null) before.field.setSelectionRange(before.start, before.end)
  }
}

/** Number and date fields have no selection. */
function selection(field: HTMLInputElement | HTMLTextAreaElement): [number, number] | undefined {
  const { selectionStart, selectionEnd } = field
  return selectionStart === null || selectionEnd === null
    ? undefined
    : [selectionStart, selectionEnd]
}

function swallow(event: KeyboardEvent) {
  event.preventDefault()
  event.stopImmediatePropagation()
}
