// Where the name of a place leads in a record's path: the search that the record was opened from.
export function keptSearch(place: string) {
  const key = `octavo.${place}.search`
  return {
    keepSearch: (search: object) => sessionStorage.setItem(key, JSON.stringify(search)),
    lastSearch: (): object => {
      try {
        return JSON.parse(sessionStorage.getItem(key) ?? '{}') as object
      } catch {
        return {}
      }
    },
  }
}
