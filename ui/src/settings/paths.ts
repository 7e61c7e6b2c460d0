// Inner properties by dotted names; records are copied, never changed.
export type Values = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function valueAt(record: Values, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), record)
}

export function withValue(record: Values, name: string, value: unknown): Values {
  const [first = '', ...rest] = name.split('.')
  const inner = record[first]
  const next = rest.length ? withValue(isObject(inner) ? inner : {}, rest.join('.'), value) : value
  const copy = { ...record, [first]: next }
  // What is empty is left out: FOLIO refuses empty texts where it wants none.
  if (next === undefined || next === '') delete (copy as Record<string, unknown>)[first]
  return copy
}

/** Without the inner property; objects that are empty then go, too. */
export function without(record: Values, name: string): Values {
  const [first = '', ...rest] = name.split('.')
  const { [first]: inner, ...others } = record
  if (inner === undefined) return record
  if (!rest.length || !isObject(inner)) return others
  const left = without(inner, rest.join('.'))
  return Object.keys(left).length ? { ...record, [first]: left } : others
}
