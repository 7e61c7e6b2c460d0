// One field of a record, by its description.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useText } from '#/i18n/text'
import { offered } from '#/settings/check'
import { isUpdate } from '#/settings/imports/mappingKind'
import type { Field, Source } from '#/settings/kinds'
import { type Values, valueAt } from '#/settings/paths'
import { nameOf, recordsQuery } from '#/settings/records'
import { Checkbox } from '#/ui/Checkbox'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import { PeriodField } from './PeriodField'
import { Ranges } from './Ranges'
import { Rows } from './Rows'

// Few kinds have these: templates, and the profiles of imports.
const Html = lazy(async () => ({ default: (await import('./Html')).Html }))
const TreeField = lazy(async () => ({ default: (await import('./TreeField')).TreeField }))
const Mapping = lazy(async () => ({ default: (await import('./mapping/Mapping')).Mapping }))
const LookupChoice = lazy(async () => ({
  default: (await import('#/inventory/form/LookupChoice')).LookupChoice,
}))
const Overrides = lazy(async () => ({
  default: (await import('./mapping/Overrides')).Overrides,
}))
const MarcChanges = lazy(async () => ({
  default: (await import('./mapping/MarcChanges')).MarcChanges,
}))

interface Props {
  field: Field
  record: Values
  /** The fields that lack something, by their paths. */
  faults: ReadonlySet<string>
  path: string
  onChange: (value: unknown) => void
}

const isText = (value: unknown) => (value === undefined || value === null ? '' : String(value))

export function FieldView({ field, record, faults, path, onChange }: Props) {
  const t = useText()
  const value = valueAt(record, field.name)
  const wrong =
    field.type === 'period'
      ? 'set.typePeriod'
      : field.only && isText(value)
        ? field.only.text
        : 'set.typeIt'
  const error = faults.has(path) ? t(wrong) : undefined
  const label = t(field.label)
  const none = field.clears ? [{ value: '', text: t('set.nothing') }] : []
  switch (field.type) {
    case 'check':
      return (
        <Checkbox checked={value === true} onChange={onChange}>
          {label}
        </Checkbox>
      )
    case 'select':
      return (
        <Select
          label={label}
          help={error ?? (field.help && t(field.help))}
          placeholder={t('rules.choose')}
          value={value as string | undefined}
          onChange={onChange}
          choices={[
            ...none,
            ...offered(field.choices, record, value).map((one) => ({
              value: one.value,
              text: t(one.text),
            })),
          ]}
        />
      )
    case 'some':
      return (
        <Some
          label={label}
          value={Array.isArray(value) ? value : []}
          choices={field.choices.map((one) => ({ value: one.value, text: t(one.text) }))}
          error={error}
          onChange={onChange}
        />
      )
    case 'ref':
      return (
        <Ref
          label={label}
          of={field.of}
          value={value}
          error={error}
          none={none}
          onChange={onChange}
        />
      )
    case 'period':
      return <PeriodField field={field} value={value} error={error} onChange={onChange} />
    case 'lookup':
      return (
        <Suspense>
          <LookupChoice
            id={path}
            label={label}
            error={error}
            mark={field.needed ? 'needed' : undefined}
            of={field.lookup}
            value={value as string | undefined}
            onChange={onChange}
          />
        </Suspense>
      )
    case 'refs':
      return (
        <Refs
          label={label}
          of={field.of}
          value={value}
          error={error}
          // Where none means any, an empty list is no value.
          onChange={(chosen) =>
            onChange(field.clears && Array.isArray(chosen) && !chosen.length ? undefined : chosen)
          }
        />
      )
    case 'html':
      return (
        <Suspense>
          <Html field={field} record={record} error={error} onChange={onChange} />
        </Suspense>
      )
    case 'ranges':
      return <Ranges label={label} value={value} onChange={onChange} />
    case 'rows':
      return <Rows field={field} value={value} faults={faults} path={path} onChange={onChange} />
    case 'tree':
      return (
        <Suspense>
          <TreeField label={label} value={value} error={error} onChange={onChange} />
        </Suspense>
      )
    case 'mapping':
      return (
        <Suspense>
          <Mapping type={record.existingRecordType} {...{ label, value, faults, path, onChange }} />
        </Suspense>
      )
    case 'marcChanges':
      return (
        <Suspense>
          <MarcChanges takes={isUpdate(record)} {...{ label, value, faults, path, onChange }} />
        </Suspense>
      )
    case 'overrides':
      return (
        <Suspense>
          <Overrides {...{ label, value, onChange }} />
        </Suspense>
      )
    // Its fields are the record's own: FieldList shows them.
    case 'group':
      return null
    default:
      return (
        <TextField
          label={label}
          mark={field.needed ? 'needed' : undefined}
          lines={field.type === 'lines'}
          type={field.type === 'lines' ? undefined : field.type}
          value={isText(value)}
          help={field.help && t(field.help)}
          error={error}
          onChange={(text) =>
            onChange(field.type === 'number' && text !== '' ? Number(text) : text)
          }
        />
      )
  }
}

interface RefProps {
  label: string
  of: Source
  value: unknown
  error: string | undefined
  none?: readonly { value: string; text: string }[]
  onChange: (value: unknown) => void
}

function Ref({ label, of, value, error, none = [], onChange }: RefProps) {
  const t = useText()
  const { data = [] } = useQuery(recordsQuery(of))
  return (
    <Select
      label={label}
      help={error}
      placeholder={t('rules.choose')}
      value={value as string | undefined}
      onChange={onChange}
      choices={[
        ...none,
        ...data.map((row) => ({ value: String(row[of.value ?? 'id']), text: nameOf(row, of) })),
      ]}
    />
  )
}

function Refs({ of, value, none: _, ...rest }: RefProps) {
  const { data = [] } = useQuery(recordsQuery(of))
  const choices = data.map((row) => ({ value: row.id, text: nameOf(row, of) }))
  return <Some {...rest} value={Array.isArray(value) ? value : []} choices={choices} />
}

interface SomeProps {
  label: string
  value: readonly unknown[]
  choices: readonly { value: string; text: string }[]
  error: string | undefined
  onChange: (value: unknown) => void
}

function Some({ label, value, choices, error, onChange }: SomeProps) {
  return (
    <fieldset className="stack tight">
      <legend className="sm medium">{label}</legend>
      {choices.map((choice) => (
        <Checkbox
          key={choice.value}
          checked={value.includes(choice.value)}
          onChange={(on) =>
            onChange(on ? [...value, choice.value] : value.filter((one) => one !== choice.value))
          }
        >
          <bdi>{choice.text}</bdi>
        </Checkbox>
      ))}
      {error ? <p className="sm blocked">{error}</p> : null}
    </fieldset>
  )
}
