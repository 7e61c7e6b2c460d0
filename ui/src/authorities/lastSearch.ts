// The last search of the authorities.
import { keptSearch } from '#/search/keptSearch'

export const { keepSearch, lastSearch } = keptSearch('authorities')
