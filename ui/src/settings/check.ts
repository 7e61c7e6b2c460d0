// What a record lacks before it is sent.
import type { Field, Kind } from './kinds'
import { type Values, valueAt } from './paths'

export function isShown(field: Field, record: Values): boolean {
  return !field.when || field.when.is.includes(valueAt(record, field.when.name))
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && !value.trim()) ||
  (Array.isArray(value) && !value.length)

export function lacking(kind: Kind, record: Values): ReadonlySet<string> {
  const fields = kind.fields.filter(
    (field) => field.needed && isShown(field, record) && isEmpty(valueAt(record, field.name)),
  )
  return new Set(fields.map(({ name }) => name))
}

/** Without what the server writes by itself. */
export function bare({ metadata: _, ...record }: Values): Values {
  return record
}

export const isSame = (one: Values, other: Values) =>
  JSON.stringify(sorted(bare(one))) === JSON.stringify(sorted(bare(other)))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
