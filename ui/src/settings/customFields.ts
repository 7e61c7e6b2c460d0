// The fields that a library has of its own, of users, orders and order lines: one form, three lists.
import { request } from '#/api/client'
import { equals } from '#/api/cql'
import { moduleHeaders } from '#/api/modules'
import type { TextId } from '#/i18n/text'
import type { Field, Kind, When } from './kinds'
import type { Values } from './paths'

const PATH = '/custom-fields'
/** The server keeps at most some hundreds. */
const MAX = 1000

const TYPES = [
  { value: 'TEXTBOX_SHORT', text: 'own.type.short' },
  { value: 'TEXTBOX_LONG', text: 'own.type.long' },
  { value: 'DATE_PICKER', text: 'own.type.date' },
  { value: 'SINGLE_CHECKBOX', text: 'own.type.check' },
  { value: 'RADIO_BUTTON', text: 'own.type.radio' },
  { value: 'SINGLE_SELECT_DROPDOWN', text: 'own.type.one' },
  { value: 'MULTI_SELECT_DROPDOWN', text: 'own.type.some' },
] as const
const CHOICES = ['RADIO_BUTTON', 'SINGLE_SELECT_DROPDOWN', 'MULTI_SELECT_DROPDOWN']
const TEXTS = ['TEXTBOX_SHORT', 'TEXTBOX_LONG']
const isType = (...is: string[]): When => ({ name: 'type', is })

/** Each type has what belongs to it alone; the server refuses the rest. */
export function shaped({ textField, selectField, checkboxField, ...field }: Values): Values {
  const type = String(field.type)
  if (type === 'SINGLE_CHECKBOX')
    return {
      ...field,
      required: false,
      checkboxField: { default: false, ...(checkboxField ?? {}) },
    }
  if (TEXTS.includes(type))
    return { ...field, textField: { fieldFormat: 'TEXT', ...(textField ?? {}) } }
  if (!CHOICES.includes(type)) return field
  const multiSelect = type === 'MULTI_SELECT_DROPDOWN'
  return { ...field, selectField: { ...(selectField ?? {}), multiSelect } }
}

/** A field at another place, counted from 1; those behind it make room. */
export function movedTo(fields: readonly Values[], id: unknown, place: number): Values[] {
  const moved = fields.filter((one) => one.id === id)
  const next = fields.filter((one) => one.id !== id)
  next.splice(Math.max(0, Math.min(place, fields.length) - 1), 0, ...moved)
  return next
}

const FIELDS: readonly Field[] = [
  { name: 'name', label: 'set.name', type: 'text', needed: true },
  {
    name: 'type',
    label: 'own.type',
    type: 'select',
    choices: TYPES,
    needed: true,
    help: 'own.typeStays',
    // What is stored keeps its type: values depend on it.
    when: { name: 'refId', is: [undefined] },
  },
  {
    name: 'textField.fieldFormat',
    label: 'own.format',
    type: 'select',
    when: isType('TEXTBOX_SHORT'),
    choices: [
      { value: 'TEXT', text: 'own.format.text' },
      { value: 'EMAIL', text: 'own.format.email' },
      { value: 'URL', text: 'own.format.url' },
      { value: 'NUMBER', text: 'own.format.number' },
    ],
  },
  {
    name: 'selectField.options.values',
    label: 'own.options',
    type: 'rows',
    add: 'own.addOption',
    needed: true,
    when: isType(...CHOICES),
    next: () => ({}),
    fields: [
      { name: 'value', label: 'own.option', type: 'text', needed: true },
      { name: 'default', label: 'own.chosen', type: 'check' },
    ],
  },
  {
    name: 'checkboxField.default',
    label: 'own.ticked',
    type: 'check',
    when: isType('SINGLE_CHECKBOX'),
  },
  { name: 'helpText', label: 'own.help', type: 'text' },
  {
    name: 'required',
    label: 'own.required',
    type: 'check',
    when: isType(...TYPES.map(({ value }) => value).filter((one) => one !== 'SINGLE_CHECKBOX')),
  },
  { name: 'visible', label: 'own.visible', type: 'check' },
  { name: 'order', label: 'own.place', type: 'number', help: 'own.placeHelp' },
]

function kindOf(
  id: string,
  entityType: string,
  module: string,
  stem: string,
  title: TextId,
  group: TextId,
): Kind {
  const headers = () => moduleHeaders(module)
  const where = equals('entityType', entityType)
  const send = async (method: 'POST' | 'PUT', path: string, body: unknown) =>
    request(path, { method, body, headers: await headers() })
  const reorder = async (fieldId: unknown, place: number) => {
    const { customFields } = await request<{ customFields: Values[] }>(PATH, {
      query: { query: `${where} sortby order`, limit: MAX },
      headers: await headers(),
    })
    await send('PUT', PATH, { entityType, customFields: movedTo(customFields, fieldId, place) })
  }
  return {
    id,
    path: PATH,
    key: 'customFields',
    name: 'name',
    where,
    headers,
    title,
    group,
    permission: `${stem}.item`,
    fields: FIELDS,
    columns: ['order', 'helpText'],
    fresh: {
      entityType,
      type: 'TEXTBOX_SHORT',
      visible: true,
      required: false,
      textField: { fieldFormat: 'TEXT' },
    },
    used: async (fieldId) => {
      const path = `${PATH}/${fieldId}/stats`
      return (await request<{ count: number }>(path, { headers: await headers() })).count
    },
    wire: {
      read: async (fieldId) => {
        const { metadata: _, ...field } = await request<Values>(`${PATH}/${fieldId}`, {
          headers: await headers(),
        })
        return field
      },
      store: async ({ order, ...field }, before) => {
        const body = shaped(field)
        if (before) await send('PUT', `${PATH}/${field.id}`, { ...body, order: before.order })
        else await send('POST', PATH, body)
        if (typeof order === 'number' && order !== before?.order) await reorder(field.id, order)
      },
    },
  }
}

const ORDERS = ['mod-orders-storage', 'orders-storage.custom-fields'] as const
export const USER_FIELDS: readonly Kind[] = [
  kindOf(
    'user-fields',
    'user',
    'mod-users',
    'user-settings.custom-fields',
    'own.user',
    'shell.users',
  ),
]
export const ORDER_FIELDS: readonly Kind[] = [
  kindOf('order-fields', 'purchase_order', ...ORDERS, 'own.order', 'ord.group'),
  kindOf('line-fields', 'po_line', ...ORDERS, 'own.line', 'ord.group'),
]
