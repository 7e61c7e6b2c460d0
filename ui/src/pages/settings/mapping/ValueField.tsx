// What a property is filled with: an expression; where the library has a list of such values, one of it.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { LookupChoice } from '#/inventory/form/LookupChoice'
import type { Property } from '#/settings/imports/properties/kinds'
import type { Rule } from '#/settings/imports/rules'
import type { Source } from '#/settings/kinds'
import { nameOf, recordsQuery } from '#/settings/records'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import styles from '../settings.module.css'

interface Props {
  label: string
  /** Undefined for what the form has no words for. */
  property: Property | undefined
  rule: Rule
  error: string | undefined
  path: string
  onChange: (rule: Rule) => void
}

interface Offer {
  value: string
  text: string
}

const quoted = (text: string) => `"${text}"`
const literal = (value: string | undefined) => /^"([^"]*)"$/.exec(value?.trim() ?? '')?.[1]

export function ValueField(props: Props) {
  const t = useText()
  const { label, property, rule, error, path, onChange } = props
  const { value = '' } = rule
  const known = literal(value)
  switch (property?.kind) {
    case 'lookup':
      return (
        <LookupChoice
          id={path}
          label={label}
          error={error}
          mark={property.needed ? 'needed' : undefined}
          of={property.lookup}
          value={known ?? (value.trim() ? value : undefined)}
          onChange={(id) => onChange({ ...rule, value: id ? quoted(id) : '' })}
        />
      )
    case 'ref':
    case 'refs':
      return <FromList {...props} of={property.of} />
    case 'choice':
      return (
        <Offered
          {...props}
          offers={property.choices.map((one) => ({ value: quoted(one.value), text: t(one.text) }))}
        />
      )
    default:
      return <Expression {...props} />
  }
}

function Expression({ label, property, rule, error, onChange }: Props) {
  return (
    <TextField
      label={label}
      mark={property?.needed ? 'needed' : undefined}
      value={rule.value ?? ''}
      error={error}
      onChange={(value) => onChange({ ...rule, value })}
    />
  )
}

/** The field, and beside it what the library has. */
function Offered({ offers, ...props }: Props & { offers: readonly Offer[] }) {
  const t = useText()
  const { label, rule, onChange } = props
  return (
    <div className={styles.range}>
      <Expression {...props} />
      <Select
        label={t('map.fromList', { name: label })}
        placeholder={t('rules.choose')}
        value={offers.some(({ value }) => value === rule.value) ? rule.value : undefined}
        choices={offers}
        onChange={(value) => onChange({ ...rule, value })}
      />
    </div>
  )
}

/** Names become ids at the import: FOLIO keeps the list's ids and names with the rule. */
function FromList({ of, ...props }: Props & { of: Source }) {
  const { data = [] } = useQuery(recordsQuery(of))
  const named = data.map((row): [string, string] => [
    row.id,
    row.code ? `${nameOf(row, of)} (${row.code})` : nameOf(row, of),
  ])
  const accepted = Object.fromEntries(named)
  return (
    <Offered
      {...props}
      offers={named.map(([id, text]) => ({
        // A name with a quotation mark would end the expression early.
        value: quoted(text.includes('"') ? id : text),
        text,
      }))}
      onChange={(rule) =>
        props.onChange(named.length ? { ...rule, acceptedValues: accepted } : rule)
      }
    />
  )
}
