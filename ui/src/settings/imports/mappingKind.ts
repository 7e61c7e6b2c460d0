// Field mapping profiles. What is filled, changed or taken over follows the kind of record.
import type { Field, Kind } from '../kinds'
import { type Values, valueAt, withValue } from '../paths'
import { lackingChanges, type MarcChange } from './marcChanges'
import { EXISTING, INCOMING, MAPPINGS } from './records'
import { complete, lackingRules, MAPPED, type Rule, startOf } from './rules'
import { MAPPING } from './wire'

const OPTION = 'mappingDetails.marcMappingOption'
const RULES = 'mappingDetails.mappingFields'
const CHANGES = 'mappingDetails.marcMappingDetails'
const MARC = ['MARC_BIBLIOGRAPHIC', 'MARC_HOLDINGS', 'MARC_AUTHORITY']

const rulesOf = (record: Values) => (valueAt(record, RULES) ?? []) as readonly Rule[]
const changesOf = (record: Values) => (valueAt(record, CHANGES) ?? []) as readonly MarcChange[]
export const isUpdate = (record: Values) => valueAt(record, OPTION) === 'UPDATE'

/** Invoices come from EDIFACT alone; orders and what else there is, from MARC. */
function follow(record: Values, name: string): Values {
  if (name !== 'existingRecordType' && name !== 'incomingRecordType') return record
  const { existingRecordType: made, incomingRecordType: from } = record
  const isMessage = from === 'EDIFACT_INVOICE'
  let next = record
  if (name === 'existingRecordType' && isMessage !== (made === 'INVOICE'))
    next = {
      ...next,
      incomingRecordType: made === 'INVOICE' ? 'EDIFACT_INVOICE' : INCOMING[0].value,
    }
  if (name === 'incomingRecordType' && isMessage !== (made === 'INVOICE'))
    next = { ...next, existingRecordType: isMessage ? 'INVOICE' : 'INSTANCE' }
  const type = next.existingRecordType
  // Imports modify bibliographic records only.
  if (
    valueAt(next, OPTION) === 'MODIFY' &&
    type !== 'MARC_BIBLIOGRAPHIC' &&
    MARC.includes(`${type}`)
  )
    next = withValue(next, OPTION, 'UPDATE')
  const rules = rulesOf(next)
  const own = `${String(type).toLowerCase()}.`
  const has = rules.some(({ path }) => path?.startsWith(own))
  // Rules for another kind stay until the record is saved: who chose it by mistake finds them again.
  return withValue(next, RULES, has ? complete(type, rules) : [...rules, ...startOf(type)])
}

const isMarc = { name: 'existingRecordType', is: MARC }
const RULE_FIELD: Field = {
  name: RULES,
  label: 'set.mapping.fields',
  type: 'mapping',
  when: { name: 'existingRecordType', is: MAPPED },
  lacks: (record) => lackingRules(record.existingRecordType, rulesOf(record)),
}
const CHANGE_FIELD: Field = {
  name: CHANGES,
  label: 'map.changes',
  type: 'marcChanges',
  when: [isMarc, { name: OPTION, is: ['MODIFY', 'UPDATE'] }],
  lacks: (record) => lackingChanges(changesOf(record), isUpdate(record)),
}

export const MAPPING_PROFILES: Kind = {
  ...MAPPINGS,
  id: 'mapping-profiles',
  title: 'set.mappingProfiles',
  group: 'set.groupImport',
  permission: 'converter-storage.mappingprofile',
  wire: MAPPING,
  fields: [
    { name: 'name', label: 'set.name', type: 'text', needed: true },
    { name: 'description', label: 'set.description', type: 'lines' },
    {
      name: 'incomingRecordType',
      label: 'set.incoming',
      type: 'select',
      choices: [...INCOMING, { value: 'EDIFACT_INVOICE', text: 'map.record.edifact' }],
      needed: true,
    },
    {
      name: 'existingRecordType',
      label: 'set.record',
      type: 'select',
      choices: EXISTING,
      needed: true,
    },
    {
      name: OPTION,
      label: 'map.option',
      type: 'select',
      needed: true,
      when: isMarc,
      choices: [
        {
          value: 'MODIFY',
          text: 'map.option.modify',
          when: { name: 'existingRecordType', is: ['MARC_BIBLIOGRAPHIC'] },
        },
        { value: 'UPDATE', text: 'map.option.update' },
      ],
    },
    RULE_FIELD,
    CHANGE_FIELD,
    {
      name: 'marcFieldProtectionSettings',
      label: 'map.overrides',
      type: 'overrides',
      when: [isMarc, { name: OPTION, is: ['UPDATE'] }],
    },
  ],
  columns: ['description'],
  fresh: { incomingRecordType: 'MARC_BIBLIOGRAPHIC', existingRecordType: 'INSTANCE' },
  follow,
}
