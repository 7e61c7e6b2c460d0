// What the editor does: checks, links, saves; what the server says goes to the lines it is about.
import { useRef, useState } from 'react'
import { type Failure, failureOf } from '#/api/errors'
import { queryClient } from '#/api/query'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import { KINDS } from '#/marc/kinds'
import { byLine, toFields } from '#/marc/model'
import { check, make, marcQuery, save, suggestLinks, versionQuery } from '#/marc/queries'
import { issuesOf } from '#/marc/refusal'
import type { Issue, MarcField, MarcRecord } from '#/marc/types'
import { type Draft, draftOf, useEditor } from '#/marc/useEditor'

/** What is asked before a save that changes other records, too. */
export interface Question {
  title: string
  text: string
  act: string
}

export interface Subject {
  /** Without an id it is one that is being made. */
  record: MarcRecord
  /** The version of what it describes, as it was read with the record. */
  version?: number
  /** What can be said of it here, beside what the server says. */
  checks?: (draft: Draft) => Issue[]
  question?: (draft: Draft) => Question | undefined
  /** Leaves the editor; with the id of what is described. */
  onSaved: (id: string) => unknown
}

export function useMarcEditor({ record: first, version, checks, question, onSaved }: Subject) {
  const t = useText()
  const [record, setRecord] = useState(first)
  const [read, setRead] = useState(version)
  const editor = useEditor(first)
  const { draft } = editor
  const format = first.marcFormat
  const isNew = !first.externalId
  const [issues, setIssues] = useState<readonly Issue[]>()
  const [failure, setFailure] = useState<Failure>()
  const [asked, setAsked] = useState<Question>()
  const [theirs, setTheirs] = useState<Newest>()
  const [busy, setBusy] = useState<'check' | 'save' | 'link'>()
  /** After a save nothing is lost by leaving. */
  const saved = useRef(false)
  const say = (found: readonly Issue[]) => {
    setIssues(found)
    const faults = found.filter((one) => one.severity === 'error').length
    announce(t('inventory.checked', { faults, warnings: found.length - faults }), faults > 0)
    return faults
  }
  const doing = async (what: 'check' | 'save' | 'link', act: () => Promise<void>) => {
    if (busy) return
    setBusy(what)
    setFailure(undefined)
    try {
      await act()
    } catch (error) {
      const found = failureOf(error)
      const said = issuesOf(found)
      if (said) say([...(checks?.(draft) ?? []), ...said])
      else setFailure(found)
    } finally {
      setBusy(undefined)
    }
  }
  const ask = async () => {
    const fields = toFields(draft.lines)
    // A new title gets its number when it is stored; the check wants to see one.
    const numbered = fields.some(({ tag }) => tag === '001') ? fields : [NUMBER, ...fields]
    const { issues: found } = KINDS[format].isDefined
      ? await check(draft.leader, numbered, format)
      : { issues: [] }
    const own = checks?.(draft) ?? []
    // What was said here of a field with its remedy is not said again by the server.
    const isSaid = ({ tag }: Issue) => own.some((one) => `${one.tag}[0]` === tag)
    return say([...own, ...found.filter((one) => !isSaid(one))])
  }
  const store = async (over?: Newest) => {
    const base = over?.record ?? record
    const fields = toFields(draft.lines)
    let id = record.externalId
    try {
      if (isNew) id = await make(format, draft.leader, fields)
      else await save(base, draft.leader, fields, over ? over.version : read)
    } catch (error) {
      if (failureOf(error).kind !== 'conflict' || isNew) throw error
      setTheirs(await newest(record))
      return
    }
    saved.current = true
    announce(t(isNew ? 'inventory.madeMarc' : 'inventory.savedMarc'))
    await queryClient.invalidateQueries()
    await onSaved(id)
  }
  return {
    ...editor,
    record,
    issues,
    failure,
    asked,
    theirs,
    busy,
    saved,
    said: byLine(draft.lines, issues ?? []),
    check: () => doing('check', async () => void (await ask())),
    save: () =>
      doing('save', async () => {
        if ((await ask()) > 0) return
        const answered = question?.(draft)
        if (answered) setAsked(answered)
        else await store()
      }),
    /** The answer to what was asked before the save. */
    goOn: () => doing('save', () => store()),
    goBack: () => setAsked(undefined),
    link: () =>
      doing('link', async () => {
        const answer = await suggestLinks(record, draft.leader, toFields(draft.lines))
        const next: Draft = draftOf(answer)
        const linked = next.lines.filter((line) => line.linkDetails?.authorityId).length
        editor.change('link', () => next)
        announce(t('inventory.linkedCount', { count: linked }))
      }),
    saveMine: () =>
      doing('save', async () => {
        const over = theirs
        setTheirs(undefined)
        await store(over)
      }),
    takeTheirs: () => {
      if (!theirs) return
      setRecord(theirs.record)
      setRead(theirs.version)
      setIssues(undefined)
      editor.replace(draftOf(theirs.record), false)
      setTheirs(undefined)
    },
  }
}

const NUMBER: MarcField = { tag: '001', content: 'in0', indicators: [] }

interface Newest {
  record: MarcRecord
  version: number | undefined
}

/** The record and the version of what it describes, as they are now. */
async function newest({ externalId, marcFormat }: MarcRecord): Promise<Newest> {
  const [record, version] = await Promise.all([
    queryClient.fetchQuery({ ...marcQuery(externalId), staleTime: 0 }),
    queryClient.fetchQuery({ ...versionQuery(marcFormat, externalId), staleTime: 0 }),
  ])
  return { record, version }
}
