// Values of a record in words, for the comparison of two versions.
import { useQueryClient } from '@tanstack/react-query'
import { type Listed, type ListName, listQuery } from '#/api/lists'
import { useText } from '#/i18n/text'
import type { Part, Spec, Values } from './specs'

export function useShown() {
  const t = useText()
  const client = useQueryClient()
  const name = (list: ListName, id: unknown) =>
    client.getQueryData<Listed[]>(listQuery(list).queryKey)?.find((one) => one.id === id)?.name ??
    String(id)
  const word = (spec: Spec | undefined, value: unknown): string => {
    if (value === undefined || value === null || value === '') return t('inventory.none')
    if (typeof value === 'boolean') return t(value ? 'inventory.yes' : 'inventory.no')
    if (spec?.kind === 'list') return name(spec.list, value)
    if (spec?.kind === 'lookup')
      return client.getQueryData<string>(['named', spec.lookup.list, value]) ?? String(value)
    if (spec?.kind === 'lookups' && Array.isArray(value))
      return value
        .map((id) => client.getQueryData<string>(['named', spec.lookup.list, id]) ?? String(id))
        .join('; ')
    if (spec?.kind === 'choice')
      return spec.choices.find((one) => one.value === value)?.text ?? String(value)
    if (spec?.kind === 'ids' && Array.isArray(value))
      return value
        .map((id) =>
          spec.choices
            ? (spec.choices.find((one) => one.value === id)?.text ?? String(id))
            : name(spec.list, id),
        )
        .join('; ')
    if (spec?.kind === 'rows' && Array.isArray(value))
      return value.map((row: Values) => rowWords(spec.fields, row)).join('; ')
    if (Array.isArray(value)) return value.map((one) => word(undefined, one)).join('; ')
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  const rowWords = (fields: readonly Spec[], row: Values) =>
    fields
      .filter((field) => row[field.name] !== undefined && field.kind !== 'flag')
      .map((field) => word(field, row[field.name]))
      .join(', ')
  return (parts: readonly Part[]) => (value: unknown, path: string) =>
    word(
      parts.flatMap((part) => part.fields).find((one) => one.name === path.split('.')[0]),
      value,
    )
}
