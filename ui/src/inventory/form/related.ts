// The titles that a title belongs to, contains, continues and is continued by.
import { get } from '#/api/client'
import type { Text } from '#/i18n/text'
import { findTitles } from '../findTitles'
import type { Instance, Neighbour } from '../types'
import type { LookupOf, Spec } from './specs'

export const titleLookup: LookupOf = {
  list: 'titles',
  search: findTitles,
  nameOf: async (id, signal) =>
    (await get<{ title: string }>(`/inventory/instances/${id}`, undefined, signal)).title,
}

export function related(t: Text): Spec[] {
  const kind: Spec = {
    name: 'instanceRelationshipTypeId',
    label: t('inventory.relationship'),
    kind: 'list',
    list: 'instanceRelationshipTypes',
    needed: true,
  }
  const inCatalogue = (name: string, needed = false): Spec => ({
    name,
    label: t('inventory.titleHere'),
    kind: 'lookup',
    lookup: titleLookup,
    needed,
  })
  const neighbour = (name: string, label: string, property: string): Spec => ({
    name,
    label,
    kind: 'rows',
    fields: [
      inCatalogue(property),
      { name: 'title', label: t('inventory.titleElsewhere'), kind: 'text' },
    ],
  })
  return [
    {
      name: 'parentInstances',
      label: t('inventory.partOf'),
      kind: 'rows',
      fields: [inCatalogue('superInstanceId', true), kind],
    },
    {
      name: 'childInstances',
      label: t('inventory.contains'),
      kind: 'rows',
      fields: [inCatalogue('subInstanceId', true), kind],
    },
    neighbour('precedingTitles', t('inventory.preceding'), 'precedingInstanceId'),
    neighbour('succeedingTitles', t('inventory.succeeding'), 'succeedingInstanceId'),
  ]
}

/** One of the catalogue is told by its id alone: what was told of another one would contradict it. */
export function wiredNeighbours(rows: readonly Neighbour[] | undefined): Neighbour[] | undefined {
  return rows?.map(({ title, hrid, identifiers, ...rest }) =>
    rest.precedingInstanceId || rest.succeedingInstanceId
      ? rest
      : { ...rest, title, ...(identifiers ? { identifiers } : {}) },
  )
}

export const wiredTitles = (instance: Instance): Instance => ({
  ...instance,
  ...(instance.precedingTitles
    ? { precedingTitles: wiredNeighbours(instance.precedingTitles) }
    : {}),
  ...(instance.succeedingTitles
    ? { succeedingTitles: wiredNeighbours(instance.succeedingTitles) }
    : {}),
})
