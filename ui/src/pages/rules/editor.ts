// The editor of rules: CodeMirror in a shadow root. There it puts its styles into a constructed sheet; in the
// document it would add a style element, which the content security policy forbids.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { looks } from './looks'
import { marks } from './marks'
import type { Refs } from './refs'
import { tokensOf } from './words'

interface Options {
  host: HTMLElement
  text: string
  label: string
  refs: Refs
  readOnly: boolean
  onChange: (text: string) => void
}

export function makeEditor({ host, text, label, refs, readOnly, onChange }: Options): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  return new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        EditorState.readOnly.of(readOnly),
        EditorState.tabSize.of(4),
        autocompletion({ override: [(context) => complete(context, refs)], icons: false }),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({
          'aria-label': label,
          dir: 'ltr',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        marks,
        looks,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
}

/** The names of the letter before the caret. */
export function complete(context: CompletionContext, refs: Refs) {
  const line = context.state.doc.lineAt(context.pos)
  const before = line.text.slice(0, context.pos - line.from)
  const tokens = tokensOf(before)
  const last = tokens.at(-1)
  const typed = last?.kind === 'name' && !/\s$/.test(before) ? last : undefined
  const owner = typed ?? (last?.kind === 'letter' && /\s$/.test(before) ? last : undefined)
  const letter = typed ? typed.letter : letterOf(owner?.text)
  if (!letter || (!typed && !context.explicit && owner === undefined)) return null
  const options: Completion[] = refs[letter].map(({ word, name }) => ({
    label: word,
    detail: name === word ? undefined : name,
  }))
  return { from: typed ? line.from + typed.from : context.pos, options, validFor: /^[^\s:,+]*$/ }

  function letterOf(text: string | undefined) {
    return text && text in refs ? (text as keyof Refs) : undefined
  }
}
