// What the editor does: checks, links, saves; what the server says goes to the lines it is about.
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { get } from '#/api/client'
import { type Failure, failureOf } from '#/api/errors'
import { queryClient } from '#/api/query'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import type { Instance } from '#/inventory/types'
import { byLine, toFields } from '#/marc/model'
import { check, make, save, suggestLinks } from '#/marc/queries'
import type { Issue, MarcField, MarcRecord } from '#/marc/types'
import { type Draft, draftOf, useEditor } from '#/marc/useEditor'

/** A record without an id is one that is being made. */
export function useMarcEditor(first: MarcRecord, version: number | undefined) {
  const t = useText()
  const navigate = useNavigate()
  const [record, setRecord] = useState(first)
  const [read, setRead] = useState(version)
  const editor = useEditor(first)
  const { draft } = editor
  const isNew = !first.externalId
  const [issues, setIssues] = useState<readonly Issue[]>()
  const [failure, setFailure] = useState<Failure>()
  const [theirs, setTheirs] = useState<{ record: MarcRecord; version: number | undefined }>()
  const [busy, setBusy] = useState<'check' | 'save' | 'link'>()
  /** After a save nothing is lost by leaving. */
  const saved = useRef(false)
  const doing = async (what: 'check' | 'save' | 'link', act: () => Promise<void>) => {
    if (busy) return
    setBusy(what)
    setFailure(undefined)
    try {
      await act()
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setBusy(undefined)
    }
  }
  const ask = async () => {
    const fields = toFields(draft.lines)
    // A new one gets its number when it is stored; the check wants to see one.
    const numbered = isNew ? [NUMBER, ...fields] : fields
    const found = (await check(draft.leader, numbered, record.marcFormat)).issues
    setIssues(found)
    const faults = found.filter((one) => one.severity === 'error').length
    announce(t('inventory.checked', { faults, warnings: found.length - faults }), faults > 0)
    return faults
  }
  const store = async (over?: { record: MarcRecord; version: number | undefined }) => {
    const base = over?.record ?? record
    let id = record.externalId
    try {
      if (isNew) id = await make(draft.leader, toFields(draft.lines))
      else await save(base, draft.leader, toFields(draft.lines), over ? over.version : read)
    } catch (error) {
      if (failureOf(error).kind !== 'conflict') throw error
      setTheirs(await newest(record.externalId))
      return
    }
    saved.current = true
    announce(t(isNew ? 'inventory.madeMarc' : 'inventory.savedMarc'))
    await queryClient.invalidateQueries()
    await navigate({
      to: '/inventory/$instanceId',
      params: { instanceId: id },
      search: {},
    })
  }
  return {
    ...editor,
    record,
    issues,
    failure,
    theirs,
    busy,
    saved,
    said: byLine(draft.lines, issues ?? []),
    check: () => doing('check', async () => void (await ask())),
    save: () =>
      doing('save', async () => {
        if ((await ask()) === 0) await store()
      }),
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

/** The record and the version of its title, as they are now. */
async function newest(instanceId: string) {
  const [record, instance] = await Promise.all([
    get<MarcRecord>('/records-editor/records', { externalId: instanceId }),
    get<Instance>(`/inventory/instances/${instanceId}`),
  ])
  return { record, version: instance._version }
}
