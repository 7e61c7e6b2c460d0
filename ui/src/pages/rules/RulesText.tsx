// The text of the rules as an editor. The keys that type belong to it, not to the page's commands.

import type { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { makeEditor } from './editor'
import { type Fault, show } from './marks'
import type { Refs } from './refs'
import styles from './rules.module.css'

export interface Props {
  text: string
  label: string
  refs: Refs
  readOnly: boolean
  faults: readonly Fault[]
  decides: number | undefined
  find: string
  onChange: (text: string) => void
  /** Moves the caret to a place; set by the editor. */
  goTo: { current: ((line: number, column: number) => void) | undefined }
}

export default function RulesText(props: Props) {
  const { text, label, refs, readOnly, faults, decides, find, onChange, goTo } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(onChange)
  latest.current = onChange
  // The text is only the start; what is typed stays.
  useEffect(() => {
    if (!host.current) return
    const made = makeEditor({
      host: host.current,
      text,
      label,
      refs,
      readOnly,
      onChange: (next) => latest.current(next),
    })
    view.current = made
    goTo.current = (line, column) => {
      const found = made.state.doc.line(Math.min(line + 1, made.state.doc.lines))
      const anchor = Math.min(found.from + column, found.to)
      made.dispatch({ selection: { anchor }, scrollIntoView: true })
      made.focus()
    }
    return () => made.destroy()
  }, [label, refs, readOnly])
  useEffect(() => {
    const current = view.current
    if (!current || current.state.doc.toString() === text) return
    // Their version was taken, or all was undone.
    const { length } = current.state.doc
    current.dispatch({ changes: { from: 0, to: length, insert: text } })
  }, [text])
  useEffect(() => {
    view.current?.dispatch({ effects: show.of({ faults, decides, find }) })
  }, [faults, decides, find])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps what is typed from the page's keys.
    <div
      ref={host}
      dir="ltr"
      className={styles.editor}
      onKeyDown={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1)
          event.nativeEvent.stopPropagation()
      }}
    />
  )
}
