// The fields that the library has defined for its users, each by its type.
import { useLoaded } from '#/api/query'
import { useText } from '#/i18n/text'
import { customFieldsQuery } from '#/patrons/queries'
import type { CustomField, CustomValue } from '#/patrons/types'
import { Checkbox } from '#/ui/Checkbox'
import { Fields, Part } from '#/ui/Fields'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import type { PartProps } from './UserForm'

export function CustomFields({ user, change }: PartProps) {
  const t = useText()
  const fields = useLoaded(customFieldsQuery)
  if (!fields.length) return null
  const set = (refId: string, value: CustomValue) => {
    const others = Object.entries(user.customFields ?? {}).filter(([key]) => key !== refId)
    const kept = value === undefined || value === '' ? others : [...others, [refId, value] as const]
    change({ customFields: Object.fromEntries(kept) })
  }
  return (
    <Part title={t('users.customFields')}>
      <Fields>
        {fields.map((field) => (
          <One
            key={field.id}
            field={field}
            value={user.customFields?.[field.refId]}
            onChange={(value) => set(field.refId, value)}
          />
        ))}
      </Fields>
    </Part>
  )
}

interface OneProps {
  field: CustomField
  value: CustomValue
  onChange: (value: CustomValue) => void
}

function One({ field, value, onChange }: OneProps) {
  const options = (field.selectField?.options?.values ?? []).map((one) => ({
    value: one.id,
    text: one.value,
  }))
  const text = typeof value === 'string' ? value : ''
  const mark = field.required ? ('needed' as const) : undefined
  const help = field.helpText
  switch (field.type) {
    case 'SINGLE_CHECKBOX':
      return (
        <Checkbox checked={value === true} onChange={onChange}>
          <bdi>{field.name}</bdi>
        </Checkbox>
      )
    case 'DATE_PICKER':
      return (
        <TextField
          label={field.name}
          type="date"
          value={text.slice(0, 10)}
          onChange={onChange}
          mark={mark}
          help={help}
        />
      )
    case 'SINGLE_SELECT_DROPDOWN':
    case 'RADIO_BUTTON':
      return (
        <Select
          label={field.name}
          help={help}
          value={text || undefined}
          choices={options}
          onChange={onChange}
        />
      )
    case 'MULTI_SELECT_DROPDOWN': {
      const chosen = Array.isArray(value) ? value : []
      return (
        <fieldset className="stack tight">
          <legend className="sm medium">
            <bdi>{field.name}</bdi>
          </legend>
          {options.map((option) => (
            <Checkbox
              key={option.value}
              checked={chosen.includes(option.value)}
              onChange={(on) => {
                const others = chosen.filter((one) => one !== option.value)
                const next = on ? [...others, option.value] : others
                onChange(next.length ? next : undefined)
              }}
            >
              <bdi>{option.text}</bdi>
            </Checkbox>
          ))}
        </fieldset>
      )
    }
    default:
      return (
        <TextField
          label={field.name}
          lines={field.type === 'TEXTBOX_LONG'}
          value={text}
          onChange={onChange}
          mark={mark}
          help={help}
        />
      )
  }
}
