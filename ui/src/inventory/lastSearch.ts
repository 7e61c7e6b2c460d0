// Where "Inventory" in a record's path leads: the search that the record was opened from.
const KEY = 'octavo.inventory.search'

export const keepSearch = (search: object) => sessionStorage.setItem(KEY, JSON.stringify(search))

export function lastSearch(): object {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as object
  } catch {
    return {}
  }
}
