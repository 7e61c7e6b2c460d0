// The fields of an item.
import type { Text } from '#/i18n/text'
import { administrative, electronicAccess, notes } from '#/inventory/form/common'
import type { Part } from '#/inventory/form/specs'
import { ASSIGNABLE_STATUSES } from '#/inventory/status'

export const itemParts = (t: Text, word: (status: string) => string, isNew: boolean): Part[] => [
  {
    title: t('inventory.itemData'),
    fields: [
      { name: 'barcode', label: t('inventory.barcode'), kind: 'text' },
      {
        name: 'materialTypeId',
        label: t('inventory.facet.items_materialTypeId'),
        kind: 'list',
        list: 'materialTypes',
        needed: true,
      },
      {
        name: 'permanentLoanTypeId',
        label: t('inventory.permanentLoanType'),
        kind: 'list',
        list: 'loanTypes',
        needed: true,
      },
      {
        name: 'temporaryLoanTypeId',
        label: t('inventory.temporaryLoanType'),
        kind: 'list',
        list: 'loanTypes',
      },
      ...(isNew
        ? [
            {
              name: 'statusName',
              label: t('inventory.facet.statusId'),
              kind: 'choice' as const,
              needed: true,
              choices: ASSIGNABLE_STATUSES.map((value) => ({ value, text: word(value) })),
            },
          ]
        : []),
      { name: 'copyNumber', label: t('inventory.copy'), kind: 'text' },
      { name: 'accessionNumber', label: t('inventory.by.accession'), kind: 'text' },
      { name: 'formerIds', label: t('inventory.formerIds'), kind: 'texts' },
    ],
  },
  {
    title: t('inventory.ownCallNumber'),
    fields: [
      {
        name: 'itemLevelCallNumberTypeId',
        label: t('inventory.callNumberType'),
        kind: 'list',
        list: 'callNumberTypes',
      },
      { name: 'itemLevelCallNumberPrefix', label: t('inventory.prefix'), kind: 'text' },
      { name: 'itemLevelCallNumber', label: t('inventory.by.callNumber'), kind: 'text' },
      { name: 'itemLevelCallNumberSuffix', label: t('inventory.suffix'), kind: 'text' },
    ],
  },
  {
    title: t('inventory.location'),
    fields: [
      {
        name: 'permanentLocationId',
        label: t('inventory.permanentLocation'),
        kind: 'list',
        list: 'locations',
      },
      {
        name: 'temporaryLocationId',
        label: t('inventory.temporaryLocation'),
        kind: 'list',
        list: 'locations',
      },
    ],
  },
  {
    title: t('inventory.enumeration'),
    fields: [
      { name: 'displaySummary', label: t('inventory.displaySummary'), kind: 'text' },
      { name: 'enumeration', label: t('inventory.enumeration'), kind: 'text' },
      { name: 'chronology', label: t('inventory.chronology'), kind: 'text' },
      { name: 'volume', label: t('inventory.volume'), kind: 'text' },
      { name: 'yearCaption', label: t('inventory.yearCaption'), kind: 'texts' },
    ],
  },
  {
    title: t('inventory.condition'),
    fields: [
      { name: 'numberOfPieces', label: t('inventory.pieces'), kind: 'text' },
      { name: 'descriptionOfPieces', label: t('inventory.piecesWhat'), kind: 'text' },
      { name: 'numberOfMissingPieces', label: t('inventory.missingPieces'), kind: 'text' },
      { name: 'missingPieces', label: t('inventory.missingPiecesWhat'), kind: 'text' },
      {
        name: 'itemDamagedStatusId',
        label: t('inventory.damaged'),
        kind: 'list',
        list: 'damagedStatuses',
      },
    ],
  },
  {
    title: t('inventory.notes'),
    fields: [
      notes(t, 'itemNoteTypes', 'itemNoteTypeId'),
      {
        name: 'circulationNotes',
        label: t('inventory.circulationNotes'),
        kind: 'rows',
        fields: [
          {
            name: 'noteType',
            label: t('inventory.kindOfNote'),
            kind: 'choice',
            needed: true,
            choices: [
              { value: 'Check in', text: t('inventory.noteIn') },
              { value: 'Check out', text: t('inventory.noteOut') },
            ],
          },
          { name: 'note', label: t('inventory.by.note'), kind: 'long', needed: true },
          { name: 'staffOnly', label: t('inventory.staffOnly'), kind: 'flag' },
        ],
      },
      electronicAccess(t),
    ],
  },
  { title: t('inventory.administrative'), fields: administrative(t) },
]
