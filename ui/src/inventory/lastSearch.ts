// The last search of the inventory.
import { keptSearch } from '#/search/keptSearch'

export const { keepSearch, lastSearch } = keptSearch('inventory')
