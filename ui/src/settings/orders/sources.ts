// The lists of orders' settings, as the forms of several kinds refer to them.
import type { Source } from '../kinds'

const CONFIGURED = '/orders/configuration'

export const PREFIXES: Source = { path: `${CONFIGURED}/prefixes`, key: 'prefixes', name: 'name' }
export const SUFFIXES: Source = { path: `${CONFIGURED}/suffixes`, key: 'suffixes', name: 'name' }
export const REASONS: Source = {
  path: `${CONFIGURED}/reasons-for-closure`,
  key: 'reasonsForClosure',
  name: 'reason',
}
export const ADDRESSES: Source = { path: '/tenant-addresses', key: 'addresses', name: 'name' }
export const METHODS: Source = {
  path: '/orders/acquisition-methods',
  key: 'acquisitionMethods',
  name: 'value',
}
