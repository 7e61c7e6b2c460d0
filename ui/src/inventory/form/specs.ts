// What a form of a record has: fields by kind, in sections. A name is a property of the record.
import type { ListName } from '#/api/lists'

export type Spec = { name: string; label: string; needed?: boolean } & (
  | { kind: 'text' | 'long' | 'flag' | 'day' }
  /** The id of a record of a reference list. */
  | { kind: 'list'; list: ListName }
  | { kind: 'choice'; choices: readonly { value: string; text: string }[] }
  /** Several texts; several ids of a list. */
  | { kind: 'texts'; long?: boolean }
  | { kind: 'ids'; list: ListName }
  /** Several records with fields of their own. */
  | { kind: 'rows'; fields: readonly Spec[] }
)

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
