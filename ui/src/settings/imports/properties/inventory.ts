// Titles, holdings and items. What the mapping rules of MARC fill in a title is not among them.
import type { TextId } from '#/i18n/text'
import { ASSIGNABLE_STATUSES, statusId } from '#/inventory/status'
import { flag, list, type Property, ref, refs, rows, text, texts } from './kinds'

const LOCATIONS = list('/locations', 'locations')
const LOAN_TYPES = list('/loan-types', 'loantypes')
const CALL_NUMBERS = list('/call-number-types', 'callNumberTypes')
const CODES = list('/statistical-codes', 'statisticalCodes')

const administrative = [
  flag('discoverySuppress', 'inventory.suppressed'),
  refs('statisticalCodeIds[]', 'inventory.codes', CODES),
  texts('administrativeNotes[]', 'inventory.administrativeNotes'),
]
const ACCESS = rows('electronicAccess[]', 'inventory.electronicAccess', [
  ref(
    'relationshipId',
    'inventory.relationship',
    list('/electronic-access-relationships', 'electronicAccessRelationships'),
  ),
  text('uri', 'map.uri', { needed: true }),
  text('linkText', 'inventory.linkText'),
  text('materialsSpecification', 'map.materials'),
  text('publicNote', 'inventory.publicNote'),
])
const notes = (type: string, path: string, key: string) =>
  rows('notes[]', 'inventory.notes', [
    ref(type, 'inventory.kindOfNote', list(path, key), { needed: true }),
    text('note', 'inventory.by.note', { needed: true }),
    flag('staffOnly', 'inventory.staffOnly'),
  ])
const statements = (name: string, label: TextId) =>
  rows(name, label, [
    text('statement', 'inventory.statement', { needed: true }),
    text('note', 'inventory.publicNote'),
    text('staffNote', 'inventory.staffOnly'),
  ])

export const INSTANCE: readonly Property[] = [
  flag('staffSuppress', 'inventory.staffSuppressed'),
  flag('previouslyHeld', 'inventory.previouslyHeld'),
  text('catalogedDate', 'inventory.cataloged'),
  ref('statusId', 'inventory.facet.statusId', list('/instance-statuses', 'instanceStatuses')),
  refs(
    'natureOfContentTermIds[]',
    'inventory.facet.natureOfContentTermIds',
    list('/nature-of-content-terms', 'natureOfContentTerms'),
  ),
  ...administrative,
]

export const HOLDINGS: readonly Property[] = [
  ref('permanentLocationId', 'inventory.permanentLocation', LOCATIONS),
  ref('temporaryLocationId', 'inventory.temporaryLocation', LOCATIONS),
  ref('callNumberTypeId', 'inventory.callNumberType', CALL_NUMBERS),
  text('callNumberPrefix', 'inventory.prefix'),
  text('callNumber', 'inventory.by.callNumber'),
  text('callNumberSuffix', 'inventory.suffix'),
  text('shelvingTitle', 'inventory.shelvingTitle'),
  text('copyNumber', 'inventory.copy'),
  ref(
    'holdingsTypeId',
    'inventory.facet.holdings_holdingsTypeId',
    list('/holdings-types', 'holdingsTypes'),
  ),
  texts('formerIds[]', 'inventory.formerIds'),
  text('numberOfItems', 'inventory.numberOfItems'),
  statements('holdingsStatements[]', 'inventory.statements'),
  statements('holdingsStatementsForSupplements[]', 'map.supplements'),
  statements('holdingsStatementsForIndexes[]', 'map.indexes'),
  ref('illPolicyId', 'inventory.illPolicy', list('/ill-policies', 'illPolicies')),
  text('retentionPolicy', 'inventory.retention'),
  text('digitizationPolicy', 'map.digitization'),
  text('acquisitionMethod', 'inventory.acquisitionMethod'),
  text('acquisitionFormat', 'acq.format'),
  text('receiptStatus', 'inventory.receiptStatus'),
  notes('holdingsNoteTypeId', '/holdings-note-types', 'holdingsNoteTypes'),
  ACCESS,
  ...administrative,
]

export const ITEM: readonly Property[] = [
  text('barcode', 'inventory.barcode'),
  ref('materialType.id', 'inventory.facet.items_materialTypeId', list('/material-types', 'mtypes')),
  ref('permanentLoanType.id', 'inventory.permanentLoanType', LOAN_TYPES),
  ref('temporaryLoanType.id', 'inventory.temporaryLoanType', LOAN_TYPES),
  {
    name: 'status.name',
    label: 'inventory.facet.statusId',
    kind: 'choice',
    choices: ASSIGNABLE_STATUSES.map((value) => ({
      value,
      text: `inventory.status.${statusId(value)}` as TextId,
    })),
  },
  ref('permanentLocation.id', 'inventory.permanentLocation', LOCATIONS),
  ref('temporaryLocation.id', 'inventory.temporaryLocation', LOCATIONS),
  text('copyNumber', 'inventory.copy'),
  text('accessionNumber', 'inventory.by.accession'),
  text('itemIdentifier', 'map.itemIdentifier'),
  texts('formerIds[]', 'inventory.formerIds'),
  ref('itemLevelCallNumberTypeId', 'inventory.callNumberType', CALL_NUMBERS),
  text('itemLevelCallNumberPrefix', 'inventory.prefix'),
  text('itemLevelCallNumber', 'inventory.by.callNumber'),
  text('itemLevelCallNumberSuffix', 'inventory.suffix'),
  text('displaySummary', 'inventory.displaySummary'),
  text('enumeration', 'inventory.enumeration'),
  text('chronology', 'inventory.chronology'),
  text('volume', 'inventory.volume'),
  texts('yearCaption[]', 'inventory.yearCaption'),
  text('numberOfPieces', 'inventory.pieces'),
  text('descriptionOfPieces', 'inventory.piecesWhat'),
  text('numberOfMissingPieces', 'inventory.missingPieces'),
  text('missingPieces', 'inventory.missingPiecesWhat'),
  text('missingPiecesDate', 'map.missingSince'),
  ref(
    'itemDamagedStatusId',
    'inventory.damaged',
    list('/item-damaged-statuses', 'itemDamageStatuses'),
  ),
  text('itemDamagedStatusDate', 'map.damagedSince'),
  notes('itemNoteTypeId', '/item-note-types', 'itemNoteTypes'),
  rows('circulationNotes[]', 'inventory.circulationNotes', [
    {
      name: 'noteType',
      label: 'inventory.kindOfNote',
      kind: 'choice',
      needed: true,
      choices: [
        { value: 'Check in', text: 'inventory.noteIn' },
        { value: 'Check out', text: 'inventory.noteOut' },
      ],
    },
    text('note', 'inventory.by.note', { needed: true }),
    flag('staffOnly', 'inventory.staffOnly'),
  ]),
  ACCESS,
  ...administrative,
]
