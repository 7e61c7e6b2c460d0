// The profiles that imports follow.
import type { Field, Kind, Source } from '../kinds'
import { ACTION, JOB, MAPPING, MATCH } from './wire'

const NAME: Field = { name: 'name', label: 'set.name', type: 'text', needed: true }
const DESCRIPTION: Field = { name: 'description', label: 'set.description', type: 'lines' }
const group = 'set.groupImport'
const ROOT = '/data-import-profiles'

export const MATCHES: Source = { path: `${ROOT}/matchProfiles`, key: 'matchProfiles', name: 'name' }
export const ACTIONS: Source = {
  path: `${ROOT}/actionProfiles`,
  key: 'actionProfiles',
  name: 'name',
}
const MAPPINGS: Source = { path: `${ROOT}/mappingProfiles`, key: 'mappingProfiles', name: 'name' }

const INCOMING = [
  { value: 'MARC_BIBLIOGRAPHIC', text: 'set.record.bib' },
  { value: 'MARC_HOLDINGS', text: 'set.record.marcHoldings' },
  { value: 'MARC_AUTHORITY', text: 'set.record.authority' },
] as const

const EXISTING = [
  { value: 'INSTANCE', text: 'set.record.instance' },
  { value: 'HOLDINGS', text: 'set.record.holdings' },
  { value: 'ITEM', text: 'set.record.item' },
  ...INCOMING,
] as const

const places = (at: '$in' | '$ex', label: 'set.match.in' | 'set.match.ex'): readonly Field[] => [
  { name: `${at}.field`, label, type: 'text', needed: true },
  { name: `${at}.indicator1`, label: 'set.match.first', type: 'text' },
  { name: `${at}.indicator2`, label: 'set.match.second', type: 'text' },
  { name: `${at}.recordSubfield`, label: 'set.match.subfield', type: 'text' },
]

export const IMPORTS: readonly Kind[] = [
  {
    id: 'job-profiles',
    path: `${ROOT}/jobProfiles`,
    key: 'jobProfiles',
    name: 'name',
    title: 'set.jobProfiles',
    group,
    permission: 'converter-storage.jobprofile',
    wire: JOB,
    fields: [
      NAME,
      DESCRIPTION,
      {
        name: 'dataType',
        label: 'set.dataType',
        type: 'select',
        needed: true,
        choices: [
          { value: 'MARC', text: 'set.data.marc' },
          { value: 'EDIFACT', text: 'set.data.edifact' },
        ],
      },
      { name: '$tree', label: 'set.tree', type: 'tree', needed: true },
    ],
    columns: ['description'],
    fresh: { dataType: 'MARC', $tree: [] },
  },
  {
    ...MATCHES,
    id: 'match-profiles',
    title: 'set.matchProfiles',
    group,
    permission: 'converter-storage.matchprofile',
    wire: MATCH,
    fields: [
      NAME,
      DESCRIPTION,
      {
        name: 'incomingRecordType',
        label: 'set.incoming',
        type: 'select',
        choices: INCOMING,
        needed: true,
      },
      {
        name: 'existingRecordType',
        label: 'set.existing',
        type: 'select',
        choices: EXISTING,
        needed: true,
      },
      {
        name: '$details',
        label: 'set.match.how',
        type: 'rows',
        add: 'set.match.add',
        needed: true,
        next: () => ({ matchCriterion: 'EXACTLY_MATCHES' }),
        fields: [
          ...places('$in', 'set.match.in'),
          {
            name: 'matchCriterion',
            label: 'set.match.criterion',
            type: 'select',
            needed: true,
            choices: [
              { value: 'EXACTLY_MATCHES', text: 'set.match.exactly' },
              { value: 'EXISTING_VALUE_CONTAINS_INCOMING_VALUE', text: 'set.match.contains' },
              { value: 'INCOMING_VALUE_CONTAINS_EXISTING_VALUE', text: 'set.match.contained' },
              { value: 'EXISTING_VALUE_BEGINS_WITH_INCOMING_VALUE', text: 'set.match.begins' },
              { value: 'EXISTING_VALUE_ENDS_WITH_INCOMING_VALUE', text: 'set.match.ends' },
            ],
          },
          ...places('$ex', 'set.match.ex'),
        ],
      },
    ],
    columns: ['description'],
    fresh: {
      incomingRecordType: 'MARC_BIBLIOGRAPHIC',
      existingRecordType: 'INSTANCE',
      $details: [],
    },
  },
  {
    ...ACTIONS,
    id: 'action-profiles',
    title: 'set.actionProfiles',
    group,
    permission: 'converter-storage.actionprofile',
    wire: ACTION,
    fields: [
      NAME,
      DESCRIPTION,
      {
        name: 'action',
        label: 'set.action',
        type: 'select',
        needed: true,
        choices: [
          { value: 'CREATE', text: 'set.action.create' },
          { value: 'UPDATE', text: 'set.action.update' },
          { value: 'MODIFY', text: 'set.action.modify' },
          { value: 'DELETE', text: 'set.action.delete' },
        ],
      },
      {
        name: 'folioRecord',
        label: 'set.record',
        type: 'select',
        choices: EXISTING,
        needed: true,
      },
      {
        name: '$mapping',
        label: 'set.mapping',
        type: 'ref',
        of: MAPPINGS,
        needed: true,
        when: { name: 'action', is: ['CREATE', 'UPDATE', 'MODIFY'] },
      },
    ],
    columns: ['description'],
    fresh: { action: 'CREATE', folioRecord: 'INSTANCE' },
  },
  {
    ...MAPPINGS,
    id: 'mapping-profiles',
    title: 'set.mappingProfiles',
    group,
    permission: 'converter-storage.mappingprofile',
    wire: MAPPING,
    fields: [
      NAME,
      DESCRIPTION,
      {
        name: 'incomingRecordType',
        label: 'set.incoming',
        type: 'select',
        choices: INCOMING,
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
        name: 'mappingDetails.mappingFields',
        label: 'set.mapping.fields',
        type: 'rows',
        add: 'set.mapping.add',
        next: () => ({ enabled: 'true', subfields: [] }),
        fields: [
          { name: 'path', label: 'set.mapping.path', type: 'text', needed: true },
          { name: 'value', label: 'set.mapping.value', type: 'text' },
          {
            name: 'booleanFieldAction',
            label: 'set.mapping.flag',
            type: 'select',
            choices: [
              { value: 'ALL_TRUE', text: 'set.mapping.allTrue' },
              { value: 'ALL_FALSE', text: 'set.mapping.allFalse' },
              { value: 'AS_IS', text: 'set.mapping.asIs' },
              { value: 'IGNORE', text: 'set.mapping.ignore' },
            ],
          },
        ],
      },
    ],
    columns: ['description'],
    fresh: { incomingRecordType: 'MARC_BIBLIOGRAPHIC', existingRecordType: 'INSTANCE' },
  },
  {
    id: 'field-protection',
    path: '/field-protection-settings/marc',
    key: 'marcFieldProtectionSettings',
    name: 'field',
    title: 'set.protection',
    group,
    permission: 'converter-storage.field-protection-settings',
    fields: [
      { name: 'field', label: 'set.protection.field', type: 'text', needed: true },
      { name: 'indicator1', label: 'set.match.first', type: 'text' },
      { name: 'indicator2', label: 'set.match.second', type: 'text' },
      { name: 'subfield', label: 'set.match.subfield', type: 'text' },
      { name: 'data', label: 'set.protection.data', type: 'text' },
    ],
    columns: ['subfield', 'data'],
    fresh: { indicator1: '*', indicator2: '*', subfield: '*', data: '*', source: 'USER' },
  },
]
