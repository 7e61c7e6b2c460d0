// What is drawn over the text: kinds of words, faults with their sentence below the line, the line that decides.
import { RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { POLICIES } from './refs'
import { tokensOf } from './words'

export interface Fault {
  /** From 0, as the columns. */
  line: number
  from: number
  to: number
  message: string
}

export interface Shown {
  faults: readonly Fault[]
  /** The line that decides, from 0. */
  decides?: number
  /** What is looked for. */
  find?: string
}

export const show = StateEffect.define<Shown>()

class Message extends WidgetType {
  private readonly text: string
  constructor(text: string) {
    super()
    this.text = text
  }
  override eq(other: Message) {
    return other.text === this.text
  }
  toDOM() {
    const line = document.createElement('div')
    line.className = 'cm-fault-message'
    line.dir = 'auto'
    line.textContent = this.text
    return line
  }
}

function decorated(doc: Text, { faults, decides, find }: Shown): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const wanted = find?.trim().toLowerCase()
  for (let number = 0; number < doc.lines; number += 1) {
    const line = doc.line(number + 1)
    const own = faults.filter((fault) => fault.line === number)
    const names = [
      own.length ? 'cm-fault-line' : '',
      number === decides ? 'cm-decides' : '',
      wanted && line.text.toLowerCase().includes(wanted) ? 'cm-found' : '',
    ].filter(Boolean)
    if (names.length) builder.add(line.from, line.from, Decoration.line({ class: names.join(' ') }))
    for (const token of tokensOf(line.text)) {
      const isFault = own.some(
        ({ from, to }) => from < token.from + token.text.length && to > token.from,
      )
      const isPolicy = token.kind === 'name' && token.letter && POLICIES.includes(token.letter)
      const kind = isPolicy ? 'cm-policy' : `cm-${token.kind}`
      const start = line.from + token.from
      builder.add(
        start,
        start + token.text.length,
        Decoration.mark({ class: isFault ? `${kind} cm-fault` : kind }),
      )
    }
    for (const { message } of own)
      builder.add(
        line.to,
        line.to,
        Decoration.widget({ widget: new Message(message), block: true, side: 1 }),
      )
  }
  return builder.finish()
}

interface State {
  shown: Shown
  drawn: DecorationSet
}

export const marks = StateField.define<State>({
  create: (state) => ({ shown: { faults: [] }, drawn: decorated(state.doc, { faults: [] }) }),
  update(value, transaction) {
    const next = transaction.effects.find((effect) => effect.is(show))?.value as Shown | undefined
    if (!next && !transaction.docChanged) return value
    const shown = next ?? value.shown
    return { shown, drawn: decorated(transaction.state.doc, shown) }
  },
  provide: (field) => EditorView.decorations.from(field, ({ drawn }) => drawn),
})
