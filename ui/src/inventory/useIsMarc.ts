// Whether holdings come from a MARC record: their source says so.
import { useList } from '#/api/lists'
import type { Holdings } from './types'

export function useIsMarc(): (holdings: Holdings) => boolean {
  const sources = useList('holdingsSources')
  return ({ sourceId }) => sources.find(({ id }) => id === sourceId)?.name === 'MARC'
}
