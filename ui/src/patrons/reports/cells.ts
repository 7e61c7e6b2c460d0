// What a row says in a column, for the file.
import { type Cell, dayOf } from '#/lib/csv'
import { fullName, type Named } from '#/lib/names'
import { type Values, valueAt } from '#/settings/paths'
import type { ReportColumn } from './columns'

/** The first of the column's places that says something. */
export function said(row: Values, { path }: ReportColumn): unknown {
  const values = [path].flat().map((one) => valueAt(row, one))
  return values.find((one) => one !== undefined && one !== null && one !== '')
}

export function cellOf(row: Values, column: ReportColumn): Cell {
  const value = said(row, column)
  if (value === undefined) return undefined
  if (column.as === 'person') return fullName(value as Named)
  if (column.as === 'day' || column.as === 'dayTime') return dayOf(String(value))
  return typeof value === 'number' ? value : String(value)
}
