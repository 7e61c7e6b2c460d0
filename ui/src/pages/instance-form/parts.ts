// The fields of a title.
import type { Text } from '#/i18n/text'
import { administrative, electronicAccess, notes } from '#/inventory/form/common'
import { related } from '#/inventory/form/related'
import type { Part } from '#/inventory/form/specs'

export const instanceParts = (t: Text): Part[] => [
  {
    title: t('inventory.administrative'),
    fields: [
      { name: 'staffSuppress', label: t('inventory.staffSuppressed'), kind: 'flag' },
      { name: 'deleted', label: t('inventory.setForDeletion'), kind: 'flag' },
      { name: 'previouslyHeld', label: t('inventory.previouslyHeld'), kind: 'flag' },
      { name: 'catalogedDate', label: t('inventory.cataloged'), kind: 'day' },
      {
        name: 'statusId',
        label: t('inventory.facet.statusId'),
        kind: 'list',
        list: 'instanceStatuses',
      },
      {
        name: 'modeOfIssuanceId',
        label: t('inventory.facet.modeOfIssuanceId'),
        kind: 'list',
        list: 'modesOfIssuance',
      },
      ...administrative(t),
    ],
  },
  {
    title: t('inventory.titles'),
    fields: [
      { name: 'title', label: t('inventory.title'), kind: 'text', needed: true },
      { name: 'indexTitle', label: t('inventory.indexTitle'), kind: 'text' },
      {
        name: 'alternativeTitles',
        label: t('inventory.alternativeTitle'),
        kind: 'rows',
        fields: [
          {
            name: 'alternativeTitleTypeId',
            label: t('inventory.kind'),
            kind: 'list',
            list: 'alternativeTitleTypes',
          },
          { name: 'alternativeTitle', label: t('inventory.title'), kind: 'text', needed: true },
        ],
      },
      {
        name: 'series',
        label: t('inventory.by.series'),
        kind: 'rows',
        fields: [{ name: 'value', label: t('inventory.by.series'), kind: 'text', needed: true }],
      },
    ],
  },
  {
    title: t('inventory.identifiers'),
    fields: [
      {
        name: 'identifiers',
        label: t('inventory.identifiers'),
        kind: 'rows',
        fields: [
          {
            name: 'identifierTypeId',
            label: t('inventory.kind'),
            kind: 'list',
            list: 'identifierTypes',
            needed: true,
          },
          { name: 'value', label: t('inventory.by.identifier'), kind: 'text', needed: true },
        ],
      },
    ],
  },
  {
    title: t('inventory.contributors'),
    fields: [
      {
        name: 'contributors',
        label: t('inventory.contributors'),
        kind: 'rows',
        fields: [
          { name: 'name', label: t('inventory.name'), kind: 'text', needed: true },
          {
            name: 'contributorNameTypeId',
            label: t('inventory.nameType'),
            kind: 'list',
            list: 'contributorNameTypes',
            needed: true,
          },
          {
            name: 'contributorTypeId',
            label: t('inventory.role'),
            kind: 'list',
            list: 'contributorTypes',
          },
          { name: 'primary', label: t('inventory.primary'), kind: 'flag' },
        ],
      },
    ],
  },
  {
    title: t('inventory.descriptive'),
    fields: [
      {
        name: 'instanceTypeId',
        label: t('inventory.facet.instanceTypeId'),
        kind: 'list',
        list: 'instanceTypes',
        needed: true,
      },
      {
        name: 'publication',
        label: t('inventory.published'),
        kind: 'rows',
        fields: [
          { name: 'place', label: t('inventory.place'), kind: 'text' },
          { name: 'publisher', label: t('inventory.publisher'), kind: 'text' },
          { name: 'dateOfPublication', label: t('inventory.year'), kind: 'text' },
          { name: 'role', label: t('inventory.role'), kind: 'text' },
        ],
      },
      { name: 'editions', label: t('inventory.editions'), kind: 'texts' },
      { name: 'physicalDescriptions', label: t('inventory.extent'), kind: 'texts' },
      {
        name: 'natureOfContentTermIds',
        label: t('inventory.facet.natureOfContentTermIds'),
        kind: 'ids',
        list: 'natureOfContent',
      },
      {
        name: 'instanceFormatIds',
        label: t('inventory.facet.instanceFormatIds'),
        kind: 'ids',
        list: 'instanceFormats',
      },
      { name: 'languages', label: t('inventory.languageCodes'), kind: 'texts' },
      { name: 'publicationFrequency', label: t('inventory.frequency'), kind: 'texts' },
      { name: 'publicationRange', label: t('inventory.range'), kind: 'texts' },
    ],
  },
  {
    title: t('inventory.subjects'),
    fields: [
      {
        name: 'subjects',
        label: t('inventory.subjects'),
        kind: 'rows',
        fields: [
          { name: 'value', label: t('inventory.by.subject'), kind: 'text', needed: true },
          { name: 'sourceId', label: t('inventory.source'), kind: 'list', list: 'subjectSources' },
          { name: 'typeId', label: t('inventory.kind'), kind: 'list', list: 'subjectTypes' },
        ],
      },
      {
        name: 'classifications',
        label: t('inventory.by.classification'),
        kind: 'rows',
        fields: [
          {
            name: 'classificationTypeId',
            label: t('inventory.kind'),
            kind: 'list',
            list: 'classificationTypes',
            needed: true,
          },
          {
            name: 'classificationNumber',
            label: t('inventory.by.classification'),
            kind: 'text',
            needed: true,
          },
        ],
      },
    ],
  },
  { title: t('inventory.related'), fields: related(t) },
  {
    title: t('inventory.notes'),
    fields: [notes(t, 'instanceNoteTypes', 'instanceNoteTypeId'), electronicAccess(t)],
  },
]
