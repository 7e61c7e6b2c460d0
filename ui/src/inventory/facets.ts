// The facets of each segment: names of mod-search, and where the words of their values come from.
import type { ListName } from '#/api/lists'
import type { Segment } from './search'

export interface FacetKind {
  id: string
  /** A reference list; languages by the browser; flags and texts as words of their own. */
  words: ListName | 'language' | 'flag' | 'text' | 'status' | 'year' | 'date'
  /** Open at first. */
  open?: boolean
}

const kind = (id: string, words: FacetKind['words'], open = false): FacetKind => ({
  id,
  words,
  open,
})

export const FACETS: Record<Segment, readonly FacetKind[]> = {
  instances: [
    kind('items.status.name', 'status', true),
    kind('items.effectiveLocationId', 'locations', true),
    kind('instanceTypeId', 'instanceTypes', true),
    kind('languages', 'language', true),
    kind('normalizedDate1', 'year'),
    kind('instanceFormatIds', 'instanceFormats'),
    kind('modeOfIssuanceId', 'modesOfIssuance'),
    kind('natureOfContentTermIds', 'natureOfContent'),
    kind('source', 'text'),
    kind('statusId', 'instanceStatuses'),
    kind('statisticalCodeIds', 'statisticalCodes'),
    kind('instanceTags', 'text'),
    kind('staffSuppress', 'flag'),
    kind('discoverySuppress', 'flag'),
    kind('metadata.createdDate', 'date'),
    kind('metadata.updatedDate', 'date'),
  ],
  holdings: [
    kind('holdings.permanentLocationId', 'locations', true),
    kind('holdings.holdingsTypeId', 'holdingsTypes', true),
    kind('holdings.sourceId', 'holdingsSources', true),
    kind('holdings.statisticalCodeIds', 'statisticalCodes'),
    kind('holdingsTags', 'text'),
    kind('holdings.discoverySuppress', 'flag'),
  ],
  items: [
    kind('items.status.name', 'status', true),
    kind('items.effectiveLocationId', 'locations', true),
    kind('items.materialTypeId', 'materialTypes', true),
    kind('callNumberType', 'callNumberTypes'),
    kind('items.statisticalCodeIds', 'statisticalCodes'),
    kind('itemTags', 'text'),
    kind('items.discoverySuppress', 'flag'),
  ],
}
