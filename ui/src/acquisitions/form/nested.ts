// Forms are flat, records are not: `cost:currency` in a form is `cost.currency` in the record. Days in a form are
// days, in the record the beginning of them.
import type { Part, Values } from '#/inventory/form/specs'

const SIGN = ':'
const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The values of the form's fields, and what tells versions apart. */
export function flat(record: object, parts: readonly Part[]): Values {
  const { _version, metadata } = record as Values
  const values: Values = { _version, metadata }
  for (const { name, kind } of parts.flatMap((part) => part.fields)) {
    const value = name
      .split(SIGN)
      .reduce<unknown>((at, key) => (isPlain(at) ? at[key] : undefined), record)
    values[name] = kind === 'day' && typeof value === 'string' ? value.slice(0, 10) : value
  }
  return values
}

/** The record with the form's values in their places; what the form does not know stays. */
export function nested<T extends object>(values: Values, base: T, parts: readonly Part[]): T {
  const record = { ...base } as Values
  if (values._version !== undefined) record._version = values._version
  for (const { name, kind } of parts.flatMap((part) => part.fields)) {
    const keys = name.split(SIGN)
    const last = keys.pop() ?? name
    let at = record
    for (const key of keys) {
      at[key] = isPlain(at[key]) ? { ...(at[key] as Values) } : {}
      at = at[key] as Values
    }
    const value = values[name]
    if (value === undefined || value === '') delete at[last]
    else at[last] = kind === 'day' ? `${String(value)}T00:00:00.000+00:00` : value
  }
  // A part of the record that nothing was typed for is none.
  for (const [key, value] of Object.entries(record))
    if (isPlain(value) && !Object.keys(value).length) delete record[key]
  return record as T
}
