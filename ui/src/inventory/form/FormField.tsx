// One field of a record's form, by its kind.

import { Checkbox } from '#/ui/Checkbox'
import { TextField } from '#/ui/TextField'
import { Choice } from './Choice'
import { ListChoice } from './ListChoice'
import { LookupChoice } from './LookupChoice'
import { Lookups } from './Lookups'
import { Rows } from './Rows'
import { figureOf, type Spec } from './specs'
import { Texts } from './Texts'

export interface FieldProps {
  spec: Spec
  /** Its place in the record, also the id of the field. */
  id: string
  value: unknown
  onChange: (value: unknown) => void
  faults: Readonly<Record<string, string>>
  /** Why it cannot be changed. */
  locked?: string
}

const TYPES: { [kind in Spec['kind']]?: string } = { day: 'date', date: 'date', secret: 'password' }

export function FormField(props: FieldProps) {
  const { spec, id, value, onChange, faults, locked } = props
  const common = {
    id,
    label: spec.label,
    error: faults[id],
    mark: spec.needed ? ('needed' as const) : undefined,
  }
  switch (spec.kind) {
    case 'flag':
      return (
        <Checkbox checked={value === true} onChange={onChange}>
          {spec.label}
        </Checkbox>
      )
    case 'number':
      return (
        <TextField
          {...common}
          inputMode="decimal"
          value={value === undefined || value === null ? '' : String(value)}
          onChange={(text) => onChange(figureOf(text))}
          isReadOnly={Boolean(locked)}
          help={locked}
        />
      )
    case 'lookup':
      return (
        <LookupChoice
          {...common}
          of={spec.lookup}
          value={value as string | undefined}
          onChange={onChange}
        />
      )
    case 'lookups':
      return <Lookups {...props} spec={spec} />
    case 'list':
      return <ListChoice {...common} list={spec.list} value={value as string} onChange={onChange} />
    case 'choice':
      return (
        <Choice {...common} choices={spec.choices} value={value as string} onChange={onChange} />
      )
    case 'texts':
    case 'ids':
      return <Texts {...props} spec={spec} />
    case 'rows':
      return <Rows {...props} spec={spec} />
    default:
      return (
        <TextField
          {...common}
          lines={spec.kind === 'long'}
          type={TYPES[spec.kind]}
          autoComplete={spec.kind === 'secret' ? 'new-password' : undefined}
          value={typeof value === 'string' ? value : ''}
          onChange={onChange}
          isReadOnly={Boolean(locked)}
          help={locked}
        />
      )
  }
}
