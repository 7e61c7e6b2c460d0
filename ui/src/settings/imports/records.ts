// The kinds of records that imports read, make and change, and the lists of their profiles.
import type { Source } from '../kinds'

export const ROOT = '/data-import-profiles'

export const MATCHES: Source = { path: `${ROOT}/matchProfiles`, key: 'matchProfiles', name: 'name' }
export const ACTIONS: Source = {
  path: `${ROOT}/actionProfiles`,
  key: 'actionProfiles',
  name: 'name',
}
export const MAPPINGS: Source = {
  path: `${ROOT}/mappingProfiles`,
  key: 'mappingProfiles',
  name: 'name',
}

export const INCOMING = [
  { value: 'MARC_BIBLIOGRAPHIC', text: 'set.record.bib' },
  { value: 'MARC_HOLDINGS', text: 'set.record.marcHoldings' },
  { value: 'MARC_AUTHORITY', text: 'set.record.authority' },
] as const

/** What a record of the file is compared with. */
export const MATCHED = [
  { value: 'INSTANCE', text: 'set.record.instance' },
  { value: 'HOLDINGS', text: 'set.record.holdings' },
  { value: 'ITEM', text: 'set.record.item' },
  ...INCOMING,
] as const

export const EXISTING = [
  ...MATCHED,
  { value: 'AUTHORITY', text: 'map.record.authority' },
  { value: 'ORDER', text: 'map.record.order' },
  { value: 'INVOICE', text: 'map.record.invoice' },
] as const
