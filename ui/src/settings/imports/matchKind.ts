// Match profiles: which record of the library a record of the file is. The file's side may be a fixed value.
import type { TextId } from '#/i18n/text'
import type { Field, Kind, When } from '../kinds'
import { IDENTIFIERS, STATIC } from './matchDetails'
import { INCOMING, MATCHED, MATCHES } from './records'
import { MATCH } from './wire'

const FROM_RECORD = INCOMING.map(({ value }) => value)
const isRecord: When = { name: 'incomingRecordType', is: FROM_RECORD }
const isStatic: When = { name: 'incomingRecordType', is: [STATIC] }
const isMarc: When = { name: 'existingRecordType', is: FROM_RECORD }

const marcPlaces = (at: string, label: TextId): Field[] => [
  { name: `${at}.field`, label, type: 'text', needed: true },
  { name: `${at}.indicator1`, label: 'set.match.first', type: 'text' },
  { name: `${at}.indicator2`, label: 'set.match.second', type: 'text' },
  { name: `${at}.recordSubfield`, label: 'set.match.subfield', type: 'text' },
]

/** Only values that are so, and only a part of them. */
const qualifier = (expression: string): Field[] => {
  const at = `${expression}.qualifier`
  return [
    {
      name: `${at}.qualifierType`,
      label: 'map.match.only',
      type: 'select',
      clears: true,
      choices: [
        { value: 'BEGINS_WITH', text: 'map.match.beginsWith' },
        { value: 'ENDS_WITH', text: 'map.match.endsWith' },
        { value: 'CONTAINS', text: 'map.match.containing' },
      ],
    },
    {
      name: `${at}.qualifierValue`,
      label: 'map.match.text',
      type: 'text',
      needed: true,
      when: { name: `${at}.qualifierType`, is: ['BEGINS_WITH', 'ENDS_WITH', 'CONTAINS'] },
    },
    {
      name: `${at}.comparisonPart`,
      label: 'map.match.part',
      type: 'select',
      clears: true,
      choices: [
        { value: 'NUMERICS_ONLY', text: 'map.match.numerics' },
        { value: 'ALPHANUMERICS_ONLY', text: 'map.match.alphanumerics' },
      ],
    },
  ]
}

function fixedValue(at: string): Field[] {
  const details = `${at}incomingMatchExpression.staticValueDetails`
  const fixed = (
    name: string,
    label: TextId,
    type: string,
    of: 'text' | 'date' = 'text',
  ): Field => ({
    name: `${details}.${name}`,
    label,
    type: of,
    needed: true,
    when: { name: `${details}.staticValueType`, is: [type] },
  })
  return [
    {
      name: `${details}.staticValueType`,
      label: 'map.match.kind',
      type: 'select',
      needed: true,
      choices: [
        { value: 'TEXT', text: 'set.text' },
        { value: 'NUMBER', text: 'map.match.number' },
        { value: 'EXACT_DATE', text: 'map.match.day' },
        { value: 'DATE_RANGE', text: 'map.match.days' },
      ],
    },
    fixed('text', 'map.value', 'TEXT'),
    {
      ...fixed('number', 'map.value', 'NUMBER'),
      only: { pattern: /^-?\d+(\.\d+)?$/, text: 'map.match.typeNumber' },
    },
    fixed('exactDate', 'map.match.day', 'EXACT_DATE', 'date'),
    fixed('fromDate', 'set.from', 'DATE_RANGE', 'date'),
    fixed('toDate', 'set.to', 'DATE_RANGE', 'date'),
  ]
}

/** One comparison; `at` is the property that has it, with its dot. */
const comparison = (at: string): Field[] => [
  {
    name: '$incoming',
    label: 'map.match.inFile',
    type: 'group',
    when: isRecord,
    fields: [
      ...marcPlaces(`${at}$in`, 'set.match.in'),
      ...qualifier(`${at}incomingMatchExpression`),
    ],
  },
  {
    name: '$static',
    label: 'map.match.static',
    type: 'group',
    when: isStatic,
    fields: fixedValue(at),
  },
  {
    name: `${at}matchCriterion`,
    label: 'set.match.criterion',
    type: 'select',
    needed: true,
    choices: [
      { value: 'EXACTLY_MATCHES', text: 'set.match.exactly' },
      { value: 'EXISTING_VALUE_CONTAINS_INCOMING_VALUE', text: 'set.match.contains' },
      { value: 'INCOMING_VALUE_CONTAINS_EXISTING_VALUE', text: 'set.match.contained' },
      { value: 'EXISTING_VALUE_BEGINS_WITH_INCOMING_VALUE', text: 'set.match.begins' },
      { value: 'INCOMING_VALUE_BEGINS_WITH_EXISTING_VALUE', text: 'map.match.beginsIncoming' },
      { value: 'EXISTING_VALUE_ENDS_WITH_INCOMING_VALUE', text: 'set.match.ends' },
      { value: 'INCOMING_VALUE_ENDS_WITH_EXISTING_VALUE', text: 'map.match.endsIncoming' },
    ],
  },
  {
    name: '$existing',
    label: 'map.match.inLibrary',
    type: 'group',
    fields: [
      {
        name: `${at}$ex.field`,
        label: 'set.match.ex',
        type: 'text',
        needed: true,
        help: 'map.match.exHelp',
      },
      {
        name: `${at}$ex.identifierTypeId`,
        label: 'map.match.identifierKind',
        type: 'ref',
        clears: true,
        of: { path: '/identifier-types', key: 'identifierTypes', name: 'name' },
        when: [
          { name: 'existingRecordType', is: ['INSTANCE'] },
          { name: `${at}$ex.field`, is: [IDENTIFIERS] },
        ],
      },
      ...marcPlaces(`${at}$ex`, 'set.match.ex')
        .slice(1)
        .map((field) => ({ ...field, when: isMarc })),
      ...qualifier(`${at}existingMatchExpression`),
    ],
  },
]

export const MATCH_PROFILES: Kind = {
  ...MATCHES,
  id: 'match-profiles',
  title: 'set.matchProfiles',
  group: 'set.groupImport',
  permission: 'converter-storage.matchprofile',
  wire: MATCH,
  fields: [
    { name: 'name', label: 'set.name', type: 'text', needed: true },
    { name: 'description', label: 'set.description', type: 'lines' },
    {
      name: 'incomingRecordType',
      label: 'set.incoming',
      type: 'select',
      choices: [...INCOMING, { value: STATIC, text: 'map.match.static' }],
      needed: true,
    },
    {
      name: 'existingRecordType',
      label: 'set.existing',
      type: 'select',
      choices: MATCHED,
      needed: true,
    },
    ...comparison('$detail.'),
    // None is added: the import takes one. Those that somebody stored are there to be seen and taken away.
    {
      name: '$others',
      label: 'map.match.others',
      help: 'map.match.othersHelp',
      type: 'rows',
      fields: comparison(''),
    },
  ],
  columns: ['description'],
  fresh: {
    incomingRecordType: 'MARC_BIBLIOGRAPHIC',
    existingRecordType: 'INSTANCE',
    $detail: {
      matchCriterion: 'EXACTLY_MATCHES',
      incomingMatchExpression: { staticValueDetails: { staticValueType: 'TEXT' } },
    },
  },
}
