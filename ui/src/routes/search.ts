// What an address keeps: it is typed by anybody, so each value is checked.

export const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)
export const texts = (value: unknown) =>
  Array.isArray(value) && value.length
    ? value.map(String)
    : text(value)
      ? [String(value)]
      : undefined
/** One of the words, else nothing. */
export const oneOf = <T extends string>(value: unknown, words: readonly T[]) =>
  words.find((word) => word === value)

interface Browsed {
  list?: string
  from?: string
  way?: 'after' | 'before'
}

/** Where a list of headings is entered. */
export const browsed = (search: Record<string, unknown>): Browsed => ({
  list: text(search.list),
  from: search.from === undefined ? undefined : String(search.from),
  way: search.way === 'after' || search.way === 'before' ? search.way : undefined,
})
