// What a form of a record has: fields by kind, in sections. A name is a property of the record.
import type { ListName } from '#/api/lists'
import type { Option } from '#/ui/Lookup'

export type Spec = {
  name: string
  label: string
  needed?: boolean
} /** A day is stored as its first moment, a date as it is. */ & (
  | { kind: 'text' | 'long' | 'flag' | 'day' | 'date' | 'number' | 'secret' }
  /** The id of one of many records, looked up by words. */
  | { kind: 'lookup'; lookup: LookupOf }
  /** The ids of several such records. */
  | { kind: 'lookups'; lookup: LookupOf }
  /** The id of a record of a reference list. */
  | { kind: 'list'; list: ListName }
  | { kind: 'choice'; choices: readonly { value: string; text: string }[] }
  /** Several texts; several ids of a list. */
  | { kind: 'texts'; long?: boolean }
  | { kind: 'ids'; list: ListName; choices?: undefined }
  | { kind: 'ids'; choices: readonly { value: string; text: string }[]; list?: undefined }
  /** Several records with fields of their own; offers are lines that are filled in already. */
  | { kind: 'rows'; fields: readonly Spec[]; offers?: readonly { text: string; row: Values }[] }
)

export interface LookupOf {
  /** Names the list in the cache. */
  list: string
  search: (words: string, signal: AbortSignal) => Promise<Option[]>
  nameOf: (id: string, signal: AbortSignal) => Promise<string>
}

export interface Part {
  title: string
  fields: readonly Spec[]
}

export type Values = Record<string, unknown>

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && !value.trim())

/** The record without what was left empty: blank texts, lines without content. */
export function cleaned<T extends object>(record: T): T {
  const entries = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (isEmpty(value)) return []
    if (!Array.isArray(value)) return [[name, typeof value === 'string' ? value.trim() : value]]
    const rows = value.map((row: unknown) =>
      typeof row === 'object' && row !== null ? cleaned(row) : row,
    )
    return [[name, rows.filter((row) => !isEmptyRow(row))]]
  })
  return Object.fromEntries(entries) as T
}

/** A line of which only flags are set says nothing. */
const isEmptyRow = (row: unknown): boolean =>
  typeof row === 'object' && row !== null
    ? Object.values(row).every((value) => isEmpty(value) || typeof value === 'boolean')
    : isEmpty(row)

/** Needed fields that are empty, by name: the ids of the fields in the form. */
export function missing(parts: readonly Part[], values: Values, text: (label: string) => string) {
  const faults: Record<string, string> = {}
  for (const spec of parts.flatMap((part) => part.fields)) {
    const value = values[spec.name]
    if (spec.kind === 'rows') {
      const rows = Array.isArray(value) ? (value as Values[]) : []
      rows.forEach((row, at) => {
        if (isEmptyRow(row)) return
        for (const field of spec.fields) {
          if (field.needed && isEmpty(row[field.name]))
            faults[`${spec.name}.${at}.${field.name}`] = text(`${spec.label}: ${field.label}`)
        }
      })
    } else if (spec.needed && isEmpty(value)) faults[spec.name] = text(spec.label)
  }
  return faults
}

/** The label of a path such as "publication" in the words of the form. */
export const labelOf = (parts: readonly Part[], path: string): string =>
  parts.flatMap((part) => part.fields).find((one) => one.name === path.split('.')[0])?.label ?? path

/** What is typed for a figure: the figure once it is one, with the decimal sign of the person's keyboard. */
export function figureOf(text: string): number | string | undefined {
  const typed = text.trim().replace(',', '.')
  if (!typed) return undefined
  return String(Number(typed)) === typed ? Number(typed) : text
}

/** Figures that were typed with more places than needed, such as 12.50, as numbers; what is none, as faults. */
export function figures(fields: readonly Spec[], values: Values, text: (label: string) => string) {
  const faults: Record<string, string> = {}
  const within = (specs: readonly Spec[], row: Values, at: string): Values => {
    const next = { ...row }
    for (const spec of specs) {
      const value = row[spec.name]
      const name = at + spec.name
      if (spec.kind === 'rows' && Array.isArray(value))
        next[spec.name] = value.map((one: Values, place) =>
          within(spec.fields, one, `${name}.${place}.`),
        )
      if (spec.kind !== 'number' || typeof value !== 'string' || !value.trim()) continue
      const figure = Number(value.trim().replace(',', '.'))
      if (Number.isNaN(figure)) faults[name] = text(spec.label)
      else next[spec.name] = figure
    }
    return next
  }
  return { values: within(fields, values, ''), faults }
}
