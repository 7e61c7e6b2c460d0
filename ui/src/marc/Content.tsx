// The text of a field with its codes marked. One marked copy lies under a field whose text is clear, so that the
// browser's own editing, selection and undo stay as they are.
import type { KeyboardEvent } from 'react'
import { useText } from '#/i18n/text'
import styles from './marc.module.css'
import { nextSubfield, parts } from './model'

interface Props {
  tag: string
  /** In place of the content's own name. */
  label?: string
  text: string
  readOnly?: boolean
  invalid?: boolean
  describedBy?: string
  onChange: (text: string) => void
}

export function Content({ tag, label, text, readOnly, invalid, describedBy, onChange }: Props) {
  const t = useText()
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const step = { ']': 1, '[': -1 }[event.key] as 1 | -1 | undefined
    if (step && event.ctrlKey) {
      event.preventDefault()
      event.stopPropagation()
      const place = nextSubfield(text, event.currentTarget.selectionStart, step)
      event.currentTarget.setSelectionRange(place, place)
    }
    // A field is one line.
    if (event.key === 'Enter' && !event.ctrlKey) event.preventDefault()
  }
  return (
    <div className={styles.content}>
      <Marked text={text} />
      <textarea
        rows={1}
        value={text}
        readOnly={readOnly}
        spellCheck={false}
        aria-label={label ?? t('inventory.contentOf', { tag })}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        onKeyDown={keys}
        onChange={(event) => onChange(event.target.value.replace(/[\r\n]+/g, ' '))}
      />
    </div>
  )
}

export function Marked({ text, read }: { text: string; read?: boolean }) {
  let at = 0
  return (
    <div className={styles.marked} aria-hidden={read ? undefined : true}>
      {parts(text).map((part) => {
        at += part.text.length
        return part.code ? <b key={at}>{part.text}</b> : <span key={at}>{part.text}</span>
      })}
      {read ? null : '\u200B'}
    </div>
  )
}
