// One rule of a field mapping, as its property wants it.
import { useText } from '#/i18n/text'
import type { Property } from '#/settings/imports/properties/kinds'
import type { Rule } from '#/settings/imports/rules'
import { Select } from '#/ui/Select'
import { RuleRows } from './RuleRows'
import { ValueField } from './ValueField'

interface Props {
  label: string
  property: Property | undefined
  rule: Rule
  /** Records that are only made have nothing before: nothing is kept, exchanged or deleted. */
  onlyMade: boolean
  /** Inside a row of a list. */
  inRow?: boolean
  faults: ReadonlySet<string>
  path: string
  onChange: (rule: Rule) => void
}

export function RuleView({
  label,
  property,
  rule,
  onlyMade,
  inRow,
  faults,
  path,
  onChange,
}: Props) {
  const t = useText()
  const error = faults.has(path) ? t('set.typeIt') : undefined
  const isList = property
    ? ['rows', 'texts', 'refs'].includes(property.kind)
    : Boolean(rule.subfields?.length || rule.repeatableFieldAction)
  if (isList)
    return (
      <RuleRows
        label={label}
        property={property}
        rule={rule}
        onlyMade={onlyMade || Boolean(inRow)}
        faults={faults}
        path={path}
        onChange={onChange}
      />
    )
  if (property?.kind === 'flag' || rule.booleanFieldAction) {
    const fixed = onlyMade || inRow
    return (
      <Select
        label={label}
        value={rule.booleanFieldAction ?? ''}
        choices={[
          { value: '', text: t('set.nothing') },
          { value: 'ALL_TRUE', text: t('set.mapping.allTrue') },
          { value: 'ALL_FALSE', text: t('set.mapping.allFalse') },
          ...(fixed
            ? []
            : [
                { value: 'AS_IS', text: t('set.mapping.asIs') },
                { value: 'IGNORE', text: t('set.mapping.ignore') },
              ]),
        ]}
        onChange={(action) => {
          const { booleanFieldAction: _, ...rest } = rule
          onChange(action ? { ...rest, booleanFieldAction: action } : rest)
        }}
      />
    )
  }
  return (
    <ValueField
      label={label}
      property={property}
      rule={rule}
      error={error}
      path={path}
      onChange={onChange}
    />
  )
}
