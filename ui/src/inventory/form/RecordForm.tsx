// The form of an inventory record: fields by section, faults in their place, the versions side by side when somebody
// else has saved meanwhile.
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { ApiFailure, type Failure, failureOf } from '#/api/errors'
import { queryClient } from '#/api/query'
import { Conflict } from '#/forms/Conflict'
import { FaultNote } from '#/forms/FaultNote'
import { LeaveGuard } from '#/forms/LeaveGuard'
import { useForm } from '#/forms/useForm'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Part as FieldPart, Fields } from '#/ui/Fields'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { FormField } from './FormField'
import { faultsOf } from './faultsOf'
import styles from './form.module.css'
import { cleaned, figures, labelOf, missing, type Part, type Spec, type Values } from './specs'
import { useShown } from './useShown'

export interface Editable {
  _version?: number
  metadata?: { updatedDate?: string }
}

interface Props<T extends Editable> {
  title: string
  path: ReactNode
  record: T
  parts: readonly Part[]
  /** Fields that something else controls, and why. */
  locked?: { names: readonly string[]; reason: string }
  /** Fields that are left out until somebody wants them; those that are needed are not. */
  hidden?: ReadonlySet<string>
  /** Stores it; the answer is where to go. */
  save: (record: T) => Promise<{ to: string }>
  /** A refusal that is more than a fault of fields, in words. */
  refused?: (failure: Failure) => ReactNode
  /** The record as it is now, to compare after a conflict. */
  current?: () => Promise<T>
}

export function RecordForm<T extends Editable>(props: Props<T>) {
  const { title, path, record, parts, locked, hidden, save, refused, current } = props
  const t = useText()
  const navigate = useNavigate()
  const shown = useShown()
  const form = useForm<T>(record)
  const { values, faults, setFaults, isDirty } = form
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [theirs, setTheirs] = useState<T>()
  const [whole, setWhole] = useState(false)
  const left = (spec: Spec) => !whole && !spec.needed && Boolean(hidden?.has(spec.name))
  const leftOut = parts.flatMap((part) => part.fields).filter(left).length
  const dirty = useRef(isDirty)
  dirty.current = isDirty
  /** After a save nothing is lost by leaving. */
  const saved = useRef(false)
  const store = async (next: T) => {
    if (busy) return
    setFailure(undefined)
    const fields = parts.flatMap((part) => part.fields)
    const typed = figures(fields, next as Values, (name) => t('forms.noFigure', { name }))
    const lacking = {
      ...missing(parts, next as Values, (label) => t('inventory.fill', { name: label })),
      ...typed.faults,
    }
    setFaults(lacking)
    if (Object.keys(lacking).length) return
    setBusy(true)
    try {
      const { to } = await save(cleaned(typed.values as T))
      saved.current = true
      await queryClient.invalidateQueries()
      await navigate({ to })
    } catch (error) {
      const found = failureOf(error)
      if (found.kind === 'conflict' && current) setTheirs(await current().catch(() => undefined))
      const byField = refused?.(found) ? undefined : faultsOf(found, parts)
      if (byField) setFaults(byField)
      else setFailure(found)
      if (!(error instanceof ApiFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void store(values)
  }
  const back = () => history.back()
  useCommands([
    {
      id: 'form.save',
      title: 'forms.save',
      group: 'page',
      keys: 'Mod+S',
      run: () => void store(values),
    },
  ])
  return (
    <>
      <RecordHead title={title} path={path}>
        <Button kind="quiet" onPress={back}>
          {t('forms.back')}
        </Button>
        <Button kind="primary" keys="Mod+S" busy={busy} onPress={() => void store(values)}>
          {t('forms.save')}
        </Button>
      </RecordHead>
      <div className={cx(page.pane, page.body)}>
        <form className={styles.form} onSubmit={submit} aria-label={title} noValidate>
          <LeaveGuard isDirty={() => dirty.current && !saved.current} />
          {theirs ? (
            <Conflict
              base={record}
              mine={values}
              theirs={theirs}
              at={theirs.metadata?.updatedDate}
              label={(one) => labelOf(parts, one)}
              show={shown(parts)}
              onResolved={(chosen) => {
                const next = { ...chosen, _version: theirs._version }
                setTheirs(undefined)
                form.set(next)
                void store(next)
              }}
            />
          ) : (
            ((failure && refused?.(failure)) ?? <FaultNote faults={faults} failure={failure} />)
          )}
          {leftOut ? (
            <div className="row wrap">
              <p className="sm muted">{t('inventory.leftOut', { count: leftOut })}</p>
              <Button small onPress={() => setWhole(true)}>
                {t('inventory.showAll')}
              </Button>
            </div>
          ) : null}
          {parts
            .filter(({ fields }) => !fields.every(left))
            .map((part) => (
              <FieldPart key={part.title} title={part.title}>
                <Fields wide>
                  {part.fields
                    .filter((spec) => !left(spec))
                    .map((spec) => (
                      <FormField
                        key={spec.name}
                        spec={spec}
                        id={spec.name}
                        value={(values as Values)[spec.name]}
                        faults={faults}
                        locked={locked?.names.includes(spec.name) ? locked.reason : undefined}
                        onChange={(value) => form.change({ [spec.name]: value } as Partial<T>)}
                      />
                    ))}
                </Fields>
              </FieldPart>
            ))}
        </form>
      </div>
    </>
  )
}
