// The values of a form, what differs from the record, and the faults by field. Saving is never greyed for faults:
// it shows them.
import { useCallback, useMemo, useState } from 'react'
import { same } from './differences'

export type Faults = Readonly<Record<string, string>>

export interface Form<T> {
  values: T
  change: (patch: Partial<T>) => void
  set: (values: T) => void
  isDirty: boolean
  faults: Faults
  setFaults: (faults: Faults) => void
}

export function useForm<T extends object>(record: T): Form<T> {
  const [values, set] = useState(record)
  const [faults, setFaults] = useState<Faults>({})
  const change = useCallback((patch: Partial<T>) => {
    set((before) => ({ ...before, ...patch }))
    // What is changed is no fault any more until the next save says so.
    setFaults((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !(name in patch))),
    )
  }, [])
  const isDirty = useMemo(() => !same(values, record), [values, record])
  return { values, change, set, isDirty, faults, setFaults }
}
