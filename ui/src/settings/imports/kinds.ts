// The profiles that imports follow.
import type { Field, Kind } from '../kinds'
import { ACTED_ON, followAct } from './acts'
import { MAPPING_PROFILES } from './mappingKind'
import { MATCH_PROFILES } from './matchKind'
import { PROTECTIONS } from './protections'
import { ACTIONS, MAPPINGS, ROOT } from './records'
import { ACTION, JOB } from './wire'

const NAME: Field = { name: 'name', label: 'set.name', type: 'text', needed: true }
const DESCRIPTION: Field = { name: 'description', label: 'set.description', type: 'lines' }
const group = 'set.groupImport'

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
  MATCH_PROFILES,
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
        choices: ACTED_ON,
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
    follow: followAct,
  },
  MAPPING_PROFILES,
  {
    ...PROTECTIONS,
    id: 'field-protection',
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
