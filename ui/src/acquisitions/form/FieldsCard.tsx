// An act with fields, in the page where it was started: the fields of a form's description in a card.
import { useEffect, useMemo, useState } from 'react'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { FormField } from '#/inventory/form/FormField'
import { cleaned, figures, missing, type Spec, type Values } from '#/inventory/form/specs'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { Refused } from '../Refused'
import { flat, nested } from './nested'

interface Props<T extends object> {
  title: string
  text?: string
  act: string
  danger?: boolean
  /** What is stored, or what a new one begins with. */
  record: T
  /** The fields; some depend on what was chosen in others. */
  fields: readonly Spec[] | ((values: Values) => readonly Spec[])
  onAct: (record: T) => Promise<unknown>
  onClose: () => void
}

export function FieldsCard<T extends object>(props: Props<T>) {
  const { title, text, act: verb, danger, record, fields, onAct, onClose } = props
  const t = useText()
  const act = useAct()
  const all = (values: Values) => (typeof fields === 'function' ? fields(values) : fields)
  const [values, setValues] = useState<Values>(() => {
    const first = flat(record, [{ title: '', fields: all({}) }])
    return flat(record, [{ title: '', fields: all(first) }])
  })
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const specs = useMemo(() => all(values), [values, fields])
  useEffect(() => {
    // A choice can be the first field, too; what destroys something wants another key than Enter first.
    const card = document.activeElement?.closest('form')
    const first = danger
      ? card?.querySelector<HTMLElement>('button[type="button"]')
      : document.getElementById(`card.${specs[0]?.name}`)
    first?.focus()
  }, [])
  const go = async () => {
    const parts = [{ title: '', fields: specs }]
    const typed = figures(specs, values, (name) => t('forms.noFigure', { name }))
    const lacking = {
      ...missing(parts, values, (label) => t('inventory.fill', { name: label })),
      ...typed.faults,
    }
    setFaults(lacking)
    if (Object.keys(lacking).length) return
    const next = nested(cleaned(typed.values), record, parts)
    if (await act.run(() => onAct(next))) onClose()
  }
  return (
    <ConfirmCard
      title={title}
      text={text}
      act={verb}
      danger={danger}
      busy={act.busy}
      onAct={() => void go()}
      onClose={onClose}
    >
      <Refused failure={act.failure} />
      {specs.length ? (
        <Fields wide>
          {specs.map((spec) => (
            <FormField
              key={spec.name}
              spec={spec}
              id={`card.${spec.name}`}
              value={values[spec.name]}
              faults={Object.fromEntries(
                Object.entries(faults).map(([name, fault]) => [`card.${name}`, fault]),
              )}
              onChange={(value) => setValues((before) => ({ ...before, [spec.name]: value }))}
            />
          ))}
        </Fields>
      ) : null}
    </ConfirmCard>
  )
}
