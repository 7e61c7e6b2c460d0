// Kinds of records that the catalogue and places use.
import { AUTHORITY_FILES } from './authorityFiles'
import type { Field, Kind, Source } from './kinds'

const NAME: Field = { name: 'name', label: 'set.name', type: 'text', needed: true }
const CODE: Field = { name: 'code', label: 'set.code', type: 'text', needed: true }

const institutions: Source = { path: '/location-units/institutions', key: 'locinsts', name: 'name' }
const campuses: Source = { path: '/location-units/campuses', key: 'loccamps', name: 'name' }
const libraries: Source = { path: '/location-units/libraries', key: 'loclibs', name: 'name' }
const points: Source = { path: '/service-points', key: 'servicepoints', name: 'name' }
const codeTypes: Source = {
  path: '/statistical-code-types',
  key: 'statisticalCodeTypes',
  name: 'name',
}

const noteTypes = (id: string, key: string, title: Kind['title'], permission: string): Kind => ({
  id,
  path: `/${id}`,
  key,
  name: 'name',
  title,
  group: 'set.groupCatalogue',
  permission,
  fields: [NAME],
  columns: ['source'],
  fresh: { source: 'local' },
})

export const CATALOGUE: readonly Kind[] = [
  {
    id: 'material-types',
    path: '/material-types',
    key: 'mtypes',
    name: 'name',
    title: 'set.materialTypes',
    group: 'set.groupCatalogue',
    permission: 'inventory-storage.material-types.item',
    fields: [NAME],
    columns: ['source'],
    fresh: { source: 'local' },
  },
  noteTypes(
    'item-note-types',
    'itemNoteTypes',
    'set.itemNotes',
    'inventory-storage.item-note-types.item',
  ),
  noteTypes(
    'holdings-note-types',
    'holdingsNoteTypes',
    'set.holdingsNotes',
    'inventory-storage.holdings-note-types.item',
  ),
  noteTypes(
    'instance-note-types',
    'instanceNoteTypes',
    'set.instanceNotes',
    'inventory-storage.instance-note-types.item',
  ),
  {
    ...codeTypes,
    id: 'statistical-code-types',
    title: 'set.codeTypes',
    group: 'set.groupCatalogue',
    permission: 'inventory-storage.statistical-code-types.item',
    fields: [NAME],
    columns: ['source'],
    fresh: { source: 'local' },
  },
  {
    id: 'statistical-codes',
    path: '/statistical-codes',
    key: 'statisticalCodes',
    name: 'name',
    title: 'set.codes',
    group: 'set.groupCatalogue',
    permission: 'inventory-storage.statistical-codes.item',
    fields: [
      CODE,
      NAME,
      {
        name: 'statisticalCodeTypeId',
        label: 'set.codeType',
        type: 'ref',
        of: codeTypes,
        needed: true,
      },
    ],
    columns: ['code', 'source'],
    fresh: { source: 'local' },
  },
  AUTHORITY_FILES,
  {
    ...institutions,
    id: 'institutions',
    title: 'set.institutions',
    group: 'set.groupPlaces',
    permission: 'inventory-storage.location-units.institutions.item',
    fields: [NAME, CODE],
    columns: ['code'],
  },
  {
    ...campuses,
    id: 'campuses',
    title: 'set.campuses',
    group: 'set.groupPlaces',
    permission: 'inventory-storage.location-units.campuses.item',
    fields: [
      NAME,
      CODE,
      {
        name: 'institutionId',
        label: 'set.institution',
        type: 'ref',
        of: institutions,
        needed: true,
      },
    ],
    columns: ['code'],
  },
  {
    ...libraries,
    id: 'libraries',
    title: 'set.libraries',
    group: 'set.groupPlaces',
    permission: 'inventory-storage.location-units.libraries.item',
    fields: [
      NAME,
      CODE,
      { name: 'campusId', label: 'set.campus', type: 'ref', of: campuses, needed: true },
    ],
    columns: ['code'],
  },
  {
    id: 'locations',
    path: '/locations',
    key: 'locations',
    name: 'name',
    title: 'set.locations',
    group: 'set.groupPlaces',
    permission: 'inventory-storage.locations.item',
    fields: [
      NAME,
      CODE,
      { name: 'discoveryDisplayName', label: 'set.publicName', type: 'text' },
      { name: 'isActive', label: 'set.active', type: 'check' },
      {
        name: 'institutionId',
        label: 'set.institution',
        type: 'ref',
        of: institutions,
        needed: true,
      },
      { name: 'campusId', label: 'set.campus', type: 'ref', of: campuses, needed: true },
      { name: 'libraryId', label: 'set.library', type: 'ref', of: libraries, needed: true },
      {
        name: 'primaryServicePoint',
        label: 'set.primaryPoint',
        type: 'ref',
        of: points,
        needed: true,
      },
      { name: 'servicePointIds', label: 'set.points', type: 'refs', of: points, needed: true },
      { name: 'description', label: 'set.description', type: 'lines' },
    ],
    columns: ['code', 'discoveryDisplayName'],
    fresh: { isActive: true },
  },
  {
    ...points,
    id: 'service-points',
    title: 'set.servicePoints',
    group: 'set.groupPlaces',
    permission: 'inventory-storage.service-points.item',
    fields: [
      NAME,
      CODE,
      { name: 'discoveryDisplayName', label: 'set.publicName', type: 'text', needed: true },
      { name: 'pickupLocation', label: 'set.pickup', type: 'check' },
      {
        name: 'holdShelfExpiryPeriod.duration',
        label: 'set.holdShelf',
        type: 'number',
        needed: true,
        when: { name: 'pickupLocation', is: [true] },
      },
      {
        name: 'holdShelfExpiryPeriod.intervalId',
        label: 'set.holdShelfUnit',
        type: 'select',
        needed: true,
        choices: [
          { value: 'Hours', text: 'set.hours' },
          { value: 'Days', text: 'set.days' },
          { value: 'Weeks', text: 'set.weeks' },
          { value: 'Months', text: 'set.months' },
        ],
        when: { name: 'pickupLocation', is: [true] },
      },
      { name: 'description', label: 'set.description', type: 'lines' },
    ],
    columns: ['code', 'discoveryDisplayName'],
  },
]
