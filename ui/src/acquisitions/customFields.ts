// The fields that a library has defined for its orders and their lines: definitions, their place in a form, values in
// words.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '#/api/client'
import { equals } from '#/api/cql'
import { moduleHeaders } from '#/api/modules'
import { useText } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'
import { useFormats } from '#/lib/format'
import type { CustomField, CustomValue } from '#/patrons/types'

export type Entity = 'purchase_order' | 'po_line'
export type CustomValues = Readonly<Record<string, CustomValue>>

const MODULE = 'mod-orders-storage'
const MAX = 1000

export const ownFieldsQuery = (entity: Entity) =>
  queryOptions({
    queryKey: ['acq', 'custom-fields', entity],
    queryFn: async ({ signal }) => {
      const { customFields } = await request<{ customFields: CustomField[] }>('/custom-fields', {
        query: { query: `${equals('entityType', entity)} sortby order`, limit: MAX },
        headers: await moduleHeaders(MODULE, 'custom-fields', signal),
        signal,
      })
      return customFields.filter((one) => one.visible !== false)
    },
    staleTime: 10 * 60_000,
    retry: false,
  })

const optionsOf = ({ selectField }: CustomField) =>
  (selectField?.options?.values ?? []).map(({ id, value }) => ({ value: id, text: value }))

/** A field of a form for each definition; its value stands in `customFields` under its reference. */
export function customSpecs(fields: readonly CustomField[]): Spec[] {
  return fields.map((field): Spec => {
    const common = {
      name: `customFields:${field.refId}`,
      label: field.name,
      needed: field.required && field.type !== 'SINGLE_CHECKBOX',
    }
    switch (field.type) {
      case 'SINGLE_CHECKBOX':
        return { ...common, kind: 'flag' }
      case 'DATE_PICKER':
        return { ...common, kind: 'date' }
      case 'TEXTBOX_LONG':
        return { ...common, kind: 'long' }
      case 'SINGLE_SELECT_DROPDOWN':
      case 'RADIO_BUTTON':
        return { ...common, kind: 'choice', choices: optionsOf(field) }
      case 'MULTI_SELECT_DROPDOWN':
        return { ...common, kind: 'ids', choices: optionsOf(field) }
      default:
        return { ...common, kind: 'text' }
    }
  })
}

/** The values of a record in words, as lines of its facts. */
export function useCustomLines(entity: Entity, values: CustomValues | undefined) {
  const t = useText()
  const { list, day } = useFormats()
  const has = Boolean(values && Object.keys(values).length)
  const { data } = useQuery({ ...ownFieldsQuery(entity), enabled: has })
  const shown = (field: CustomField): string | undefined => {
    const value = values?.[field.refId]
    const named = (id: string) => optionsOf(field).find((one) => one.value === id)?.text ?? id
    if (value === undefined || value === '') return undefined
    if (typeof value === 'boolean') return value ? t('acq.yes') : undefined
    if (Array.isArray(value)) return list(value.map(named))
    return field.type === 'DATE_PICKER' ? day(value) : named(value)
  }
  return (data ?? []).map((field): [string, string | undefined] => [field.name, shown(field)])
}
