// The columns of a report that its list shows.
import type { ReactNode } from 'react'
import { useText } from '#/i18n/text'
import { type Formats, useFormats } from '#/lib/format'
import type { Named } from '#/lib/names'
import { PersonLink } from '#/patrons/PersonLink'
import { said } from '#/patrons/reports/cells'
import type { ReportColumn } from '#/patrons/reports/columns'
import type { Report, Row } from '#/patrons/reports/reports'
import { Code } from '#/ui/Code'
import type { Column } from '#/ui/Table'

export function useReportColumns({ columns }: Report): Column<Row>[] {
  const t = useText()
  const formats = useFormats()
  return columns
    .filter(({ file }) => !file)
    .map((column) => ({
      id: column.title,
      title: t(column.title),
      kind: column.as === 'main' || column.as === 'num' ? column.as : undefined,
      width: column.width,
      wide: column.wide,
      cell: (row) => shown(row, column, formats),
    }))
}

function shown(row: Row, column: ReportColumn, formats: Formats): ReactNode {
  const value = said(row, column)
  if (value === undefined) return null
  switch (column.as) {
    case 'person':
      return <PersonLink id={String(row.userId)} person={value as Named} />
    case 'day':
      return formats.day(String(value))
    case 'dayTime':
      return formats.dayTime(String(value))
    case 'code':
      return <Code>{String(value)}</Code>
    case 'num':
      if (typeof value !== 'number') return String(value)
      return value ? formats.money(value) : null
    case 'main':
      return <bdi className="medium">{String(value)}</bdi>
    default:
      return <bdi>{String(value)}</bdi>
  }
}
