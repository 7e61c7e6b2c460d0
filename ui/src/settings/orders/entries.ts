// The settings of orders that FOLIO keeps as entries of the configuration: one form for all of them.
import { allPages } from '#/api/allPages'
import { post, put, remove } from '#/api/client'
import { equals } from '#/api/cql'
import type { Field, Kind, Source } from '../kinds'
import { type Values, valueAt, withValue } from '../paths'

const PATH = '/configurations/entries'
const ID = 'order-settings'

interface Entry {
  id: string
  configName: string
  value?: string
}

const MAKES = [
  { value: 'Instance, Holding, Item', text: 'acq.value.Instance, Holding, Item' },
  { value: 'Instance, Holding', text: 'acq.value.Instance, Holding' },
  { value: 'Instance', text: 'acq.value.Instance' },
  { value: 'None', text: 'acq.value.None' },
] as const

const made = (name: string, label: Field['label']): Field => ({
  name: `$createInventory.${name}`,
  label,
  type: 'select',
  choices: MAKES,
  clears: true,
})
const coded = (name: string, label: Field['label'], of: Source): Field => ({
  name,
  label,
  type: 'ref',
  of,
  clears: true,
})
const source = (path: string, key: string, value: string): Source => ({
  path,
  key,
  name: 'name',
  value,
})

/** The entries by their names, and the property of the form that each is. */
const FORM = {
  approvals: '$approvals',
  'poLines-limit': '$limit',
  createInventory: '$createInventory',
  disableInstanceMatching: '$matching',
  'inventory-instanceTypeCode': '$instanceType',
  'inventory-instanceStatusCode': '$instanceStatus',
  'inventory-loanTypeName': '$loanType',
  'inventory-holdingsSourceName': '$holdingsSource',
} as const
const PARSED: readonly string[] = ['$approvals', '$createInventory', '$matching']

const entries = () => allPages<Entry>(PATH, 'configs', equals('module', 'ORDERS'), undefined)

/** The form of what the entries say. What cannot be read says nothing. */
export function formOf(stored: readonly Entry[]): Values {
  let form: Values = { id: ID }
  for (const [name, property] of Object.entries(FORM)) {
    const text = stored.find((one) => one.configName === name)?.value
    if (text === undefined) continue
    form = withValue(form, property, PARSED.includes(property) ? parsed(text) : shown(name, text))
  }
  return form
}

const shown = (name: string, text: string) => (name === 'poLines-limit' ? Number(text) : text)
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of an entry as it is stored; none where the form says nothing. */
export function storedValue(form: Values, property: string): string | undefined {
  const value = valueAt(form, property)
  if (value === undefined || value === '' || value === null) return undefined
  if (typeof value !== 'object') return String(value)
  return Object.keys(value).length ? JSON.stringify(value) : undefined
}

async function store(form: Values) {
  const stored = await entries()
  for (const [configName, property] of Object.entries(FORM)) {
    const entry = stored.find((one) => one.configName === configName)
    const value = storedValue(form, property)
    if (value === entry?.value) continue
    if (!entry) await post(PATH, { module: 'ORDERS', configName, enabled: true, value })
    else if (value === undefined) await remove(`${PATH}/${entry.id}`)
    else await put(`${PATH}/${entry.id}`, { ...entry, value })
  }
}

export const ORDER_SETTINGS: Kind = {
  id: ID,
  path: PATH,
  key: 'configs',
  name: '$limit',
  title: 'ord.settings',
  group: 'ord.group',
  permission: 'configuration.entries.item',
  single: true,
  fields: [
    { name: '$approvals.isApprovalRequired', label: 'ord.approvalRequired', type: 'check' },
    { name: '$limit', label: 'ord.linesLimit', type: 'number' },
    made('physical', 'ord.makesPhysical'),
    made('eresource', 'ord.makesElectronic'),
    made('other', 'ord.makesOther'),
    { name: '$matching.isInstanceMatchingDisabled', label: 'ord.noMatching', type: 'check' },
    coded('$instanceType', 'ord.instanceType', source('/instance-types', 'instanceTypes', 'code')),
    coded(
      '$instanceStatus',
      'ord.instanceStatus',
      source('/instance-statuses', 'instanceStatuses', 'code'),
    ),
    coded('$loanType', 'ord.loanType', source('/loan-types', 'loantypes', 'name')),
    coded(
      '$holdingsSource',
      'ord.holdingsSource',
      source('/holdings-sources', 'holdingsRecordsSources', 'name'),
    ),
  ],
  wire: { read: async () => formOf(await entries()), body: (record) => record, store },
}
