// What a record lacks before it is sent.
import type { Choice, Field, When } from './kinds'
import { type Values, valueAt, without } from './paths'

const holds = (record: Values, { name, is }: When) => {
  const value = valueAt(record, name)
  return Array.isArray(value) ? value.some((one) => is.includes(one)) : is.includes(value)
}

export const isShown = (field: Field, record: Values): boolean =>
  [field.when ?? []].flat().every((when) => holds(record, when))

/** What a field can be given; what it has stays among it, also where it is not offered any more. */
export const offered = (choices: readonly Choice[], record: Values, value: unknown) =>
  choices.filter((one) => !one.when || holds(record, one.when) || one.value === value)

/** All fields, those of groups among them. */
export const flat = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => (field.type === 'group' ? flat(field.fields) : [field]))

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && !value.trim()) ||
  (Array.isArray(value) && !value.length)

/** FOLIO's servers take whole numbers above nothing. */
const isPeriod = (value: unknown) => {
  if (value === undefined) return true
  const { duration, intervalId } = value as Values
  return Number.isInteger(duration) && Number(duration) > 0 && Boolean(intervalId)
}

interface Described {
  fields: readonly Field[]
}

/** The fields that are needed and empty; those of the rows of a list as `list/0/field`. */
export function lacking({ fields }: Described, record: Values, at = ''): ReadonlySet<string> {
  const shown = fields.filter((field) => isShown(field, record))
  return new Set(
    shown.flatMap((field) => {
      if (field.type === 'group') return [...lacking(field, record, at)]
      const value = valueAt(record, field.name)
      const path = at + field.name
      if (field.needed && isEmpty(value)) return [path]
      if (field.type === 'period' && !isPeriod(value)) return [path]
      if (field.only && !isEmpty(value) && !field.only.pattern.test(String(value))) return [path]
      if (field.lacks) return field.lacks(record).map((place) => `${path}/${place}`)
      if (field.type !== 'rows' || !Array.isArray(value)) return []
      return value.flatMap((row, index) => [...lacking(field, row, `${path}/${index}/`)])
    }),
  )
}

/** Without the values of fields that the others hide; fields stand after those that they depend on. A property may have
    two fields, of which one is shown. */
export function shownOnly({ fields }: Described, record: Values): Values {
  const every = flat(fields)
  return every.reduce((kept, { name }) => {
    const isAnyShown = every.some((one) => one.name === name && isShown(one, kept))
    return isAnyShown ? kept : without(kept, name)
  }, record)
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
