// A small record in the page that it belongs to: made or changed in place, without a page of its own. What somebody
// else saved meanwhile is shown beside what was typed, as in the forms that are pages.
import { useRef, useState } from 'react'
import { get } from '#/api/client'
import { ApiFailure, type Failure, failureOf } from '#/api/errors'
import { Conflict } from '#/forms/Conflict'
import { same } from '#/forms/differences'
import { FaultNote } from '#/forms/FaultNote'
import { useForm } from '#/forms/useForm'
import { useText } from '#/i18n/text'
import { FormField } from '#/inventory/form/FormField'
import { faultsOf } from '#/inventory/form/faultsOf'
import { cleaned, figures, labelOf, missing, type Spec, type Values } from '#/inventory/form/specs'
import { useShown } from '#/inventory/form/useShown'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { changed } from '../queries'
import { codeOf, Refused } from '../Refused'
import { flat, nested } from './nested'

interface Props<T extends object> {
  title: string
  text?: string
  act?: string
  /** What is stored, or what a new one begins with. */
  record: T
  fields: readonly Spec[]
  /** Where a stored one is read again: many of these records have no versions. */
  stored?: string
  save: (record: T) => Promise<unknown>
  onClose: () => void
}

export function RecordCard<T extends object>(props: Props<T>) {
  const { title, text, act, fields, stored, save, onClose } = props
  const t = useText()
  const shown = useShown()
  const parts = [{ title, fields }]
  const base = useRef(props.record)
  const [first, setFirst] = useState(() => flat(props.record, parts))
  const form = useForm<Values>(first)
  const [theirs, setTheirs] = useState<Values>()
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState(false)
  const now = async () => {
    const record = await get<T>(stored ?? '')
    return { record, values: flat(record, parts) }
  }
  const store = async (values: Values) => {
    if (busy) return
    setFailure(undefined)
    const typed = figures(fields, values, (name) => t('forms.noFigure', { name }))
    const lacking = {
      ...missing(parts, values, (name) => t('inventory.fill', { name })),
      ...typed.faults,
    }
    form.setFaults(lacking)
    if (Object.keys(lacking).length) return
    setBusy(true)
    try {
      if (stored && values._version === undefined) {
        const { values: kept } = await now()
        if (!same(kept, flat(base.current, parts)))
          throw new ApiFailure({ kind: 'conflict', text: '' })
      }
      await save(nested(cleaned(typed.values), base.current, parts))
      await changed()
      onClose()
    } catch (error) {
      const found = failureOf(error)
      const byField = codeOf(found) ? undefined : faultsOf(found, parts)
      if (found.kind === 'conflict' && stored) {
        const kept = await now().catch(() => undefined)
        setTheirs(kept?.values)
        if (kept) base.current = kept.record
      }
      if (byField) form.setFaults(byField)
      else setFailure(found)
    } finally {
      setBusy(false)
    }
  }
  return (
    <ConfirmCard
      title={title}
      text={text}
      act={act ?? t('forms.save')}
      busy={busy}
      disabled={theirs ? t('forms.conflict') : undefined}
      onAct={() => void store(form.values)}
      onClose={onClose}
    >
      {theirs ? (
        <Conflict
          base={first}
          mine={form.values}
          theirs={theirs}
          label={(path) => labelOf(parts, path)}
          show={shown(parts)}
          onResolved={(chosen) => {
            const next = { ...chosen, _version: theirs._version }
            setFirst(theirs)
            setTheirs(undefined)
            form.set(next)
            void store(next)
          }}
        />
      ) : failure && codeOf(failure) ? (
        <Refused failure={failure} />
      ) : (
        <FaultNote faults={form.faults} failure={failure} />
      )}
      <Fields wide>
        {fields.map((spec) => (
          <FormField
            key={spec.name}
            spec={spec}
            id={spec.name}
            value={form.values[spec.name]}
            faults={form.faults}
            onChange={(value) => form.change({ [spec.name]: value })}
          />
        ))}
      </Fields>
    </ConfirmCard>
  )
}
