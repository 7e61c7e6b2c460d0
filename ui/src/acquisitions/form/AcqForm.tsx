// The form of a record of acquisitions: made or changed, with the versions side by side after a conflict.
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useMemo, useRef } from 'react'
import { get } from '#/api/client'
import { ApiFailure } from '#/api/errors'
import { same } from '#/forms/differences'
import { RecordForm } from '#/inventory/form/RecordForm'
import type { Part, Values } from '#/inventory/form/specs'
import { changed } from '../queries'
import { codeOf, Refused } from '../Refused'
import { flat, nested } from './nested'

interface Props<T extends object> {
  title: string
  path: ReactNode
  /** What is stored, or what a new one begins with. */
  record: T
  parts: readonly Part[]
  /** Fields that a template leaves out. */
  hidden?: ReadonlySet<string>
  /** Where it is read again after a conflict; new ones have none. */
  stored?: { path: string; of?: (answer: unknown) => T }
  save: (record: T) => Promise<{ to: string }>
}

type Flat = Values & { _version?: number; metadata?: { updatedDate?: string } }

export function AcqForm<T extends object>(props: Props<T>) {
  const { title, path, record, parts, hidden, stored, save } = props
  const base = useRef(record)
  /** Some records of FOLIO have no versions: the last one to save would win in silence. */
  const unchanged = async (at: string) => {
    const answer = await get<unknown>(at)
    const now = stored?.of ? stored.of(answer) : (answer as T)
    if (!same(flat(now, parts), flat(base.current, parts)))
      throw new ApiFailure({ kind: 'conflict', text: '' })
  }
  const first = useMemo(() => flat(record, parts) as Flat, [record, parts])
  return (
    <RecordForm<Flat>
      title={title}
      path={path}
      record={first}
      parts={parts}
      hidden={hidden}
      refused={(failure) => (codeOf(failure) ? <Refused failure={failure} /> : null)}
      save={async (values) => {
        if (stored && values._version === undefined) await unchanged(stored.path)
        const to = await save(nested(values, base.current, parts))
        await changed()
        return to
      }}
      current={
        stored &&
        (async () => {
          const answer = await get<unknown>(stored.path)
          base.current = stored.of ? stored.of(answer) : (answer as T)
          return flat(base.current, parts) as Flat
        })
      }
    />
  )
}

/** The id in the address; none for a record that is being made. */
export function useEdited(): string | undefined {
  const { id } = useParams({ strict: false }) as { id?: string }
  return id === 'new' ? undefined : id
}
