// The record in the editor: lines, leader, steps back. Typing in one field is one step.
import { useCallback, useRef, useState } from 'react'
import { lineOf } from './model'
import type { Line, MarcRecord } from './types'

export interface Draft {
  leader: string
  lines: Line[]
}

const STEPS_MAX = 200
const PAUSE_MS = 1000

export const draftOf = ({ leader, fields, marcFormat }: MarcRecord): Draft => ({
  leader,
  lines: fields.map((field) =>
    // The number of the title that holdings belong to: they are moved by an act of their own.
    lineOf(
      field.tag === '004' && marcFormat === 'HOLDINGS' ? { ...field, isProtected: true } : field,
    ),
  ),
})

export function useEditor(record: MarcRecord) {
  const [draft, setDraft] = useState(() => draftOf(record))
  const [isDirty, setDirty] = useState(false)
  const steps = useRef<Draft[]>([])
  const last = useRef({ what: '', at: 0 })
  /** `what` names what is changed: changes of the same thing in a row are one step. */
  const change = useCallback((what: string, next: (draft: Draft) => Draft) => {
    setDraft((now) => {
      const time = Date.now()
      const goesOn = last.current.what === what && time - last.current.at < PAUSE_MS
      last.current = { what, at: time }
      if (!goesOn) steps.current = [...steps.current.slice(-STEPS_MAX), now]
      return next(now)
    })
    setDirty(true)
  }, [])
  const undo = useCallback(() => {
    const before = steps.current.pop()
    if (!before) return
    last.current = { what: '', at: 0 }
    setDraft(before)
    setDirty(steps.current.length > 0)
  }, [])
  const replace = useCallback((next: Draft, dirty: boolean) => {
    steps.current = []
    setDraft(next)
    setDirty(dirty)
  }, [])
  return { draft, change, undo, replace, isDirty, canUndo: isDirty }
}
