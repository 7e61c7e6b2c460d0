// What the addresses of the lists keep.
export interface ListSearch {
  q?: string
  /** Which of several lists of a place is shown. */
  view?: string
  status?: string[]
  kind?: string[]
  /** The record that the rows belong to: a ledger, a fiscal year, an order. */
  of?: string[]
  /** A column's key, with a minus for descending. */
  sort?: string
}
export type FacetName = 'status' | 'kind' | 'of'
export const FACETS = ['status', 'kind', 'of'] as const
